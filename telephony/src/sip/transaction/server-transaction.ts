import type { Clock } from "@parley/time/clock";
import type { ReceivedRequest, SipResponse } from "../message.ts";
import type { Hop } from "../transport/sip-transport.ts";
import {
  type ServerInviteEvent,
  type ServerInviteState,
  type ServerInviteTimer,
  startServerInvite,
  stepServerInvite,
} from "./server-invite.ts";
import {
  type ServerOtherEvent,
  type ServerOtherState,
  type ServerOtherTimer,
  startServerOther,
  stepServerOther,
} from "./server-other.ts";
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
