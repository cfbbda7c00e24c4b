import type { Clock } from "@parley/time/clock";
import type { ReceivedResponse, SipRequest } from "../message/message.ts";
import { acknowledgeRefusal } from "./acknowledge.ts";
import { type Step, T1_MS, T2_MS, T4_MS, TIMER_D_MS, TRANSACTION_MAX_MS } from "./timer-values.ts";
import { type MessageEffect, TransactionRunner } from "./transaction-runner.ts";

type ClientFailure =
  | { readonly kind: "timeout" }
  /** Nothing reached the peer. */
  | { readonly kind: "transport"; readonly reason: string };

/** The sender of the request. A failure replaces a final response, and at most one of them occurs. */
export interface ClientOwner {
  readonly onResponse: (response: ReceivedResponse) => void;
  readonly onFailure: (failure: ClientFailure) => void;
}

export interface ClientDeps {
  readonly clock: Clock;
  readonly isReliable: boolean;
  readonly request: SipRequest;
  readonly owner: ClientOwner;
  /** Returns what takes back a message that has not left. */
  readonly send: (request: SipRequest, onFailure: (reason: string) => void) => () => void;
  readonly onEnd: () => void;
}

export interface ClientTransaction {
  readonly receive: (response: ReceivedResponse) => void;
  /** Nothing is sent or reported any more. */
  readonly abandon: () => void;
}

/** The client side of one request, from its first sending to the last repetition of its answer. */
export function startClientTransaction(deps: ClientDeps): ClientTransaction {
  const { clock, isReliable, request, owner, onEnd } = deps;
  let received: ReceivedResponse | null = null;
  let failedBecause = "";
  let isAbandoned = false;
  let withdraw: () => void = () => undefined;

  function transmit(message: SipRequest): () => void {
    return deps.send(message, (reason) => {
      failedBecause = reason;
      runner.handle({ type: "transport_failed" });
    });
  }

  function perform(effect: MessageEffect): void {
    if (effect.do === "send") withdraw = transmit(request);
    else if (effect.do === "acknowledge" && received !== null) transmit(acknowledgeRefusal(request, received));
    else if (isAbandoned) return;
    else if (effect.do === "deliver" && received !== null) owner.onResponse(received);
    else if (effect.do === "report_timeout") owner.onFailure({ kind: "timeout" });
    else if (effect.do === "report_transport_error") owner.onFailure({ kind: "transport", reason: failedBecause });
  }

  const runner =
    request.method === "INVITE"
      ? new TransactionRunner<ClientInviteState, ClientInviteEvent, ClientInviteTimer>(startClientInvite(isReliable), {
          clock,
          perform,
          onEnd,
          step: (state, event) => stepClientInvite(state, event),
        })
      : new TransactionRunner<ClientOtherState, ClientOtherEvent, ClientOtherTimer>(startClientOther(isReliable), {
          clock,
          perform,
          onEnd,
          step: (state, event) => stepClientOther(state, event, isReliable),
        });
  runner.begin();

  return {
    receive(response) {
      received = response;
      runner.handle({ type: "response", status: response.status });
    },
    abandon() {
      isAbandoned = true;
      // A message that still waits for a connection would reach the peer after the transaction has ended.
      withdraw();
      runner.end();
    },
  };
}

/**
 * RFC 3261 section 17.1.1, with the accepted state of RFC 6026 section 7.2:
 *
 * - calling: the INVITE was sent and is repeated by timer A; timer B gives up.
 * - proceeding: something answered provisionally. Repeating stops, and only our owner gives up.
 * - completed: a final refusal came and was acknowledged; until timer D its repetitions are acknowledged too, and a 2xx
 *   that still comes, from another fork, be handed to our owner.
 * - accepted: a 2xx came. It and its repetitions, also from other forks, go to our owner, who acknowledges them; timer M.
 * - terminated: final.
 */
export type ClientInviteState =
  | { readonly phase: "calling"; readonly repeatAfterMs: number }
  | { readonly phase: "proceeding" }
  | { readonly phase: "completed" }
  | { readonly phase: "accepted" }
  | { readonly phase: "terminated" };

type ClientInviteTimer = "A" | "B" | "D" | "M";

export type ClientInviteEvent =
  | { readonly type: "response"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ClientInviteTimer }
  | { readonly type: "transport_failed" };

type ClientInviteStep = Step<ClientInviteState, ClientInviteTimer>;

export function startClientInvite(isReliable: boolean): ClientInviteStep {
  return [
    { phase: "calling", repeatAfterMs: T1_MS },
    [
      { do: "send" },
      ...(isReliable ? [] : [{ do: "start_timer", timer: "A", delayMs: T1_MS } as const]),
      { do: "start_timer", timer: "B", delayMs: TRANSACTION_MAX_MS },
    ],
  ];
}

export function stepClientInvite(state: ClientInviteState, event: ClientInviteEvent): ClientInviteStep {
  if (event.type === "transport_failed") return onInviteTransportFailed(state);
  if (event.type === "timer") return onInviteTimer(state, event.timer);
  if (state.phase === "calling" || state.phase === "proceeding") return onInviteResponse(event.status);
  if (state.phase === "completed" && event.status >= 300) return [state, [{ do: "acknowledge" }]];
  const isAnswer = event.status >= 200 && event.status < 300;
  if ((state.phase === "accepted" || state.phase === "completed") && isAnswer) return [state, [{ do: "deliver" }]];
  return [state, []];
}

function onInviteResponse(status: number): ClientInviteStep {
  const stopRepeating = [{ do: "stop_timer", timer: "A" } as const, { do: "stop_timer", timer: "B" } as const];
  if (status < 200) return [{ phase: "proceeding" }, [...stopRepeating, { do: "deliver" }]];
  if (status < 300) {
    const timerM = { do: "start_timer", timer: "M", delayMs: TRANSACTION_MAX_MS } as const;
    return [{ phase: "accepted" }, [...stopRepeating, timerM, { do: "deliver" }]];
  }
  // On a reliable transport nothing is repeated and RFC 3261 section 17.1.1.2 has timer D at zero, but an answer may
  // still arrive late (section 13.2.2.4) without a transaction.
  const timerD = { do: "start_timer", timer: "D", delayMs: TIMER_D_MS } as const;
  return [{ phase: "completed" }, [...stopRepeating, { do: "acknowledge" }, timerD, { do: "deliver" }]];
}

function onInviteTimer(state: ClientInviteState, timer: ClientInviteTimer): ClientInviteStep {
  if (timer === "A" && state.phase === "calling") {
    const repeatAfterMs = state.repeatAfterMs * 2;
    return [
      { phase: "calling", repeatAfterMs },
      [{ do: "send" }, { do: "start_timer", timer: "A", delayMs: repeatAfterMs }],
    ];
  }
  if (timer === "B" && state.phase === "calling") return [{ phase: "terminated" }, [{ do: "report_timeout" }]];
  if (timer === "D" || timer === "M") return [{ phase: "terminated" }, []];
  return [state, []];
}

/** A failure to send the ACK is reported too, but the final response was already delivered. */
function onInviteTransportFailed(state: ClientInviteState): ClientInviteStep {
  if (state.phase === "calling") return [{ phase: "terminated" }, [{ do: "report_transport_error" }]];
  return [state, []];
}

/**
 * RFC 3261 section 17.1.2, every method but INVITE:
 *
 * - trying: the request was sent and is repeated by timer E, with growing intervals; timer F gives up.
 * - proceeding: something answered provisionally. It is still repeated, every T2, until the final response.
 * - completed: the final response was delivered; timer K takes in its repetitions.
 * - terminated: final.
 */
export type ClientOtherState =
  | { readonly phase: "trying"; readonly repeatAfterMs: number }
  | { readonly phase: "proceeding" }
  | { readonly phase: "completed" }
  | { readonly phase: "terminated" };

type ClientOtherTimer = "E" | "F" | "K";

export type ClientOtherEvent =
  | { readonly type: "response"; readonly status: number }
  | { readonly type: "timer"; readonly timer: ClientOtherTimer }
  | { readonly type: "transport_failed" };

type ClientOtherStep = Step<ClientOtherState, ClientOtherTimer>;

export function startClientOther(isReliable: boolean): ClientOtherStep {
  return [
    { phase: "trying", repeatAfterMs: T1_MS },
    [
      { do: "send" },
      ...(isReliable ? [] : [{ do: "start_timer", timer: "E", delayMs: T1_MS } as const]),
      { do: "start_timer", timer: "F", delayMs: TRANSACTION_MAX_MS },
    ],
  ];
}

export function stepClientOther(
  state: ClientOtherState,
  event: ClientOtherEvent,
  isReliable: boolean,
): ClientOtherStep {
  if (state.phase === "completed" || state.phase === "terminated") {
    return event.type === "timer" && event.timer === "K" ? [{ phase: "terminated" }, []] : [state, []];
  }
  if (event.type === "transport_failed") return [{ phase: "terminated" }, [{ do: "report_transport_error" }]];
  if (event.type === "timer") return onOtherTimer(state, event.timer);
  if (event.status < 200) return [{ phase: "proceeding" }, [{ do: "deliver" }]];
  // Timer K is zero on a reliable transport: nothing is repeated there.
  if (isReliable) return [{ phase: "terminated" }, [{ do: "deliver" }]];
  return [
    { phase: "completed" },
    [
      { do: "stop_timer", timer: "E" },
      { do: "stop_timer", timer: "F" },
      { do: "start_timer", timer: "K", delayMs: T4_MS },
      { do: "deliver" },
    ],
  ];
}

function onOtherTimer(
  state: Extract<ClientOtherState, { phase: "trying" | "proceeding" }>,
  timer: ClientOtherTimer,
): ClientOtherStep {
  if (timer === "F") return [{ phase: "terminated" }, [{ do: "report_timeout" }]];
  if (timer !== "E") return [state, []];
  const repeatAfterMs = state.phase === "trying" ? Math.min(state.repeatAfterMs * 2, T2_MS) : T2_MS;
  const next: ClientOtherState = state.phase === "trying" ? { phase: "trying", repeatAfterMs } : state;
  return [next, [{ do: "send" }, { do: "start_timer", timer: "E", delayMs: repeatAfterMs }]];
}
