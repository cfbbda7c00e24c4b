import type { AgentCore } from "./agent-core.ts";
import {
  type AuthState,
  authenticate,
  forNextRequest,
  takeChallenge,
  type UnansweredChallenge,
  whyUnanswered,
} from "./authentication/authenticate.ts";
import type { Credentials } from "./authentication/digest.ts";
import { guarded } from "./guard.ts";
import type { ReceivedResponse, SipRequest } from "./message/message.ts";
import type { Hop } from "./transport/sip-transport.ts";

export type RequestResult =
  | {
      readonly kind: "response";
      readonly response: ReceivedResponse;
      /** Why a challenge was not answered; null when it was, or when there was none. */
      readonly unanswered: UnansweredChallenge | null;
    }
  | { readonly kind: "timeout" }
  | { readonly kind: "transport"; readonly reason: string };

export interface RequestJob {
  /** Builds the request for every sending, each with a higher CSeq. */
  readonly build: () => SipRequest;
  /** Tried in turn while nothing reaches them. */
  readonly hops: readonly Hop[];
  readonly credentials: Credentials | null;
  readonly auth: AuthState;
  readonly sentBy?: string;
  /** Called once, with what is known about challenges by then. */
  readonly onDone: (result: RequestResult, auth: AuthState) => void;
  /** A 2xx to an INVITE that comes again, because its ACK was lost. */
  readonly onRepeatedAnswer?: (response: ReceivedResponse) => void;
}

/** Sends a request, answers challenges, and reports the final response. Returns the function that abandons it. */
export function sendRequest(core: AgentCore, job: RequestJob): () => void {
  let abandon: () => void = () => undefined;
  let isDone = false;

  function finish(result: RequestResult, auth: AuthState): void {
    if (isDone) return;
    isDone = true;
    job.onDone(result, forNextRequest(auth));
  }

  function attempt(hopIndex: number, auth: AuthState): void {
    const hop = job.hops[hopIndex];
    if (hop === undefined) {
      const nowhere = guarded(
        () => finish({ kind: "transport", reason: "no address to send to" }, auth),
        core.reportError,
      );
      queueMicrotask(nowhere);
      return;
    }
    const { request, state } = authenticate(job.build(), auth, job.credentials, core.random);
    const options = job.sentBy === undefined ? {} : { sentBy: job.sentBy };
    const transaction = core.layer.request(request, hop, { onResponse, onFailure }, options);
    abandon = () => transaction.abandon();

    function onResponse(response: ReceivedResponse): void {
      if (response.status < 200) return;
      if (isDone) {
        if (response.status < 300) job.onRepeatedAnswer?.(response);
        return;
      }
      const isChallenge = response.status === 401 || response.status === 407;
      const next = isChallenge && job.credentials !== null ? takeChallenge(state, response) : null;
      if (next === null)
        finish({ kind: "response", response, unanswered: whyUnanswered(state, response, job.credentials) }, state);
      else attempt(hopIndex, next);
    }

    function onFailure(failure: { kind: "timeout" } | { kind: "transport"; reason: string }): void {
      if (failure.kind === "transport" && hopIndex + 1 < job.hops.length) attempt(hopIndex + 1, state);
      else finish(failure, state);
    }
  }

  attempt(0, job.auth);
  return () => {
    isDone = true;
    abandon();
  };
}
