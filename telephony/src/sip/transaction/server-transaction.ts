import type { Clock } from "@parley/time/clock";
import type { ReceivedRequest, SipResponse } from "../message/message.ts";
import type { Hop } from "../transport/sip-transport.ts";
import { type Step, T1_MS, T2_MS, T4_MS, TRANSACTION_MAX_MS } from "./timer-values.ts";
import { type MessageEffect, TransactionRunner } from "./transaction-runner.ts";

export interface ServerDeps {
  readonly clock: Clock;
  readonly isReliable: boolean;
  readonly request: ReceivedRequest;
  readonly source: Hop;
  readonly send: (response: SipResponse) => void;
  /** The ACK of a 2xx that bears the branch of its INVITE. */
  readonly onAck: (ack: ReceivedRequest) => void;
  readonly onEnd: () => void;
}

export interface ServerTransaction {
  readonly request: ReceivedRequest;
  readonly source: Hop;
  /** A response beyond the first final one changes nothing, but a 2xx to an INVITE may be repeated. */
  readonly respond: (response: SipResponse) => void;
  /** Takes a repetition of the request, or an ACK for it. */
  readonly receive: (message: ReceivedRequest) => void;
  readonly abandon: () => void;
}

/** The server side of one request inside a dialog. */
export function startServerTransaction(deps: ServerDeps): ServerTransaction {
  const { clock, isReliable, request, source, onEnd } = deps;
  let responded: SipResponse | null = null;
  let ack: ReceivedRequest | null = null;

  function perform(effect: MessageEffect): void {
    if (effect.do === "send" && responded !== null) deps.send(responded);
    else if (effect.do === "deliver" && ack !== null) deps.onAck(ack);
  }

  const invite =
    request.method === "INVITE"
      ? new TransactionRunner<ServerInviteState, ServerInviteEvent, ServerInviteTimer>(startServerInvite(), {
          clock,
          perform,
          onEnd,
          step: (state, event) => stepServerInvite(state, event, isReliable),
        })
      : null;
  const runner =
    invite ??
    new TransactionRunner<ServerOtherState, ServerOtherEvent, ServerOtherTimer>(startServerOther(), {
      clock,
      perform,
      onEnd,
      step: (state, event) => stepServerOther(state, event, isReliable),
    });

  return {
    request,
    source,
    respond(response) {
      responded = response;
      runner.handle({ type: "respond", status: response.status });
    },
    receive(message) {
      if (message.method !== "ACK") runner.handle({ type: "request" });
      else {
        ack = message;
        invite?.handle({ type: "ack" });
      }
    },
    abandon: () => runner.end(),
  };
}

/**
 * RFC 3261 section 17.2.1, with the accepted state of RFC 6026 section 7.1:
 *
 * - proceeding: our owner works on it; a repeated INVITE gets the last provisional response again.
 * - completed: refused; timer G repeats the refusal until the ACK comes, timer H gives up waiting for it.
 * - confirmed: the ACK came; timer I takes in its repetitions.
 * - accepted: answered with a 2xx, which our owner repeats until it is acknowledged; timer L.
 * - terminated: final.
 */
export type ServerInviteState =
  | { readonly phase: "proceeding"; readonly hasResponded: boolean }
  | { readonly phase: "completed"; readonly repeatAfterMs: number }
  | { readonly phase: "confirmed" }
  | { readonly phase: "accepted" }
  | { readonly phase: "terminated" };

type ServerInviteTimer = "G" | "H" | "I" | "L";

export type ServerInviteEvent =
  | { readonly type: "request" }
  | { readonly type: "ack" }
  | { readonly type: "respond"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ServerInviteTimer }
  | { readonly type: "transport_failed" };

type ServerInviteStep = Step<ServerInviteState, ServerInviteTimer>;

export function startServerInvite(): ServerInviteStep {
  return [{ phase: "proceeding", hasResponded: false }, []];
}

export function stepServerInvite(
  state: ServerInviteState,
  event: ServerInviteEvent,
  isReliable: boolean,
): ServerInviteStep {
  switch (event.type) {
    case "request":
      if (state.phase === "completed") return [state, [{ do: "send" }]];
      return [state, state.phase === "proceeding" && state.hasResponded ? [{ do: "send" }] : []];
    case "respond":
      return respond(state, event.status, isReliable);
    case "ack":
      return onAck(state, isReliable);
    case "timer":
      return onTimer(state, event.timer);
    // RFC 6026 section 7.1: a response that could not be sent is repeated by the timers, or by our owner.
    case "transport_failed":
      return [state, []];
  }
}

function respond(state: ServerInviteState, status: number, isReliable: boolean): ServerInviteStep {
  if (state.phase === "accepted" && status >= 200 && status < 300) return [state, [{ do: "send" }]];
  if (state.phase !== "proceeding") return [state, []];
  if (status < 200) return [{ phase: "proceeding", hasResponded: true }, [{ do: "send" }]];
  if (status < 300) {
    return [{ phase: "accepted" }, [{ do: "send" }, { do: "start_timer", timer: "L", delayMs: TRANSACTION_MAX_MS }]];
  }
  return [
    { phase: "completed", repeatAfterMs: T1_MS },
    [
      { do: "send" },
      ...(isReliable ? [] : [{ do: "start_timer", timer: "G", delayMs: T1_MS } as const]),
      { do: "start_timer", timer: "H", delayMs: TRANSACTION_MAX_MS },
    ],
  ];
}

function onAck(state: ServerInviteState, isReliable: boolean): ServerInviteStep {
  // The ACK of a 2xx may bear the branch of the INVITE when it comes from a careless peer; it belongs to our owner.
  if (state.phase === "accepted") return [state, [{ do: "deliver" }]];
  if (state.phase !== "completed") return [state, []];
  if (isReliable) return [{ phase: "terminated" }, []];
  return [
    { phase: "confirmed" },
    [
      { do: "stop_timer", timer: "G" },
      { do: "stop_timer", timer: "H" },
      { do: "start_timer", timer: "I", delayMs: T4_MS },
    ],
  ];
}

function onTimer(state: ServerInviteState, timer: ServerInviteTimer): ServerInviteStep {
  if (timer === "G" && state.phase === "completed") {
    const repeatAfterMs = Math.min(state.repeatAfterMs * 2, T2_MS);
    return [
      { phase: "completed", repeatAfterMs },
      [{ do: "send" }, { do: "start_timer", timer: "G", delayMs: repeatAfterMs }],
    ];
  }
  if (timer === "H" && state.phase === "completed") return [{ phase: "terminated" }, [{ do: "report_timeout" }]];
  if (timer === "I" || timer === "L") return [{ phase: "terminated" }, []];
  return [state, []];
}

/**
 * RFC 3261 section 17.2.2, every method but INVITE and ACK:
 *
 * - trying: our owner works on it and has sent nothing.
 * - proceeding: a provisional response was sent; a repeated request gets it again.
 * - completed: the final response was sent; repeated requests get it again until timer J.
 * - terminated: final.
 */
export type ServerOtherState =
  | { readonly phase: "trying" }
  | { readonly phase: "proceeding" }
  | { readonly phase: "completed" }
  | { readonly phase: "terminated" };

type ServerOtherTimer = "J";

export type ServerOtherEvent =
  | { readonly type: "request" }
  | { readonly type: "respond"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ServerOtherTimer }
  | { readonly type: "transport_failed" };

type ServerOtherStep = Step<ServerOtherState, ServerOtherTimer>;

export function startServerOther(): ServerOtherStep {
  return [{ phase: "trying" }, []];
}

export function stepServerOther(
  state: ServerOtherState,
  event: ServerOtherEvent,
  isReliable: boolean,
): ServerOtherStep {
  if (event.type === "timer") return [{ phase: "terminated" }, []];
  if (event.type === "transport_failed") return [state, []];
  if (event.type === "request") {
    return [state, state.phase === "proceeding" || state.phase === "completed" ? [{ do: "send" }] : []];
  }
  if (state.phase !== "trying" && state.phase !== "proceeding") return [state, []];
  if (event.status < 200) return [{ phase: "proceeding" }, [{ do: "send" }]];
  if (isReliable) return [{ phase: "terminated" }, [{ do: "send" }]];
  return [{ phase: "completed" }, [{ do: "send" }, { do: "start_timer", timer: "J", delayMs: TRANSACTION_MAX_MS }]];
}
