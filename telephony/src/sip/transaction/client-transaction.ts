import type { Clock } from "@parley/time/clock";
import type { ReceivedResponse, SipRequest } from "../message.ts";
import { acknowledgeRefusal } from "./acknowledge.ts";
import {
  type ClientInviteEvent,
  type ClientInviteState,
  type ClientInviteTimer,
  startClientInvite,
  stepClientInvite,
} from "./client-invite.ts";
import {
  type ClientOtherEvent,
  type ClientOtherState,
  type ClientOtherTimer,
  startClientOther,
  stepClientOther,
} from "./client-other.ts";
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
      runner.handle({ type: "transportFailed" });
    });
  }

  function perform(effect: MessageEffect): void {
    if (effect.do === "send") withdraw = transmit(request);
    else if (effect.do === "acknowledge" && received !== null) transmit(acknowledgeRefusal(request, received));
    else if (isAbandoned) return;
    else if (effect.do === "deliver" && received !== null) owner.onResponse(received);
    else if (effect.do === "reportTimeout") owner.onFailure({ kind: "timeout" });
    else if (effect.do === "reportTransportError") owner.onFailure({ kind: "transport", reason: failedBecause });
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
