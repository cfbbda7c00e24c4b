import type { AgentCore } from "../agent-core.ts";
import { MIN_SESSION_EXPIRES_S } from "../invite/build-invite.ts";
import type { ReceivedResponse } from "../message/message.ts";
import { headerNumber, sdpOf } from "../message/read-headers.ts";
import { describingHeaders, refreshHeaders, SDP_TYPE } from "../message/session-headers.ts";
import type { RequestResult } from "../send-request.ts";
import type { DialogPeer } from "./dialog-peer.ts";
import { type SessionTerms, termsFromAnswer } from "./session-timer.ts";

export interface ReOfferDeps {
  readonly core: AgentCore;
  readonly peer: DialogPeer;
  readonly contact: string;
  readonly terms: SessionTerms | null;
}

export type ReOfferResult =
  | { readonly kind: "accepted"; readonly sdp: string | null; readonly terms: SessionTerms | null }
  | { readonly kind: "refused"; readonly status: number }
  /** The peer does not know the call any more, or is not there (RFC 3261 section 12.2.1.2). */
  | { readonly kind: "gone"; readonly reason: string; readonly isForgotten: boolean }
  | { readonly kind: "not_sent"; readonly reason: string };

/** RFC 3261 section 14.1: when both ends offer concurrently the owner of the Call-ID waits 2.1 to 4 s. */
const GLARE_TRIES_MAX = 3;

/**
 * Sends an INVITE (with an offer) or an UPDATE (without one) inside the call and follows it to its end. Glare and an
 * interval that is too small are tried again. Returns the function that gives up.
 */
export function reOffer(
  deps: ReOfferDeps,
  method: "INVITE" | "UPDATE",
  offer: string | null,
  onResult: (result: ReOfferResult) => void,
): () => void {
  const { core, peer, contact } = deps;
  let terms = deps.terms;
  let minS = MIN_SESSION_EXPIRES_S;
  let triesLeft = GLARE_TRIES_MAX;
  let isOver = false;
  let cancelRetry: () => void = () => undefined;

  function attempt(): void {
    const content = offer === null ? [] : [SDP_TYPE];
    const headers = [...describingHeaders(contact), ...refreshHeaders(terms, minS), ...content];
    const body = offer === null ? {} : { body: Buffer.from(offer) };
    peer.send({ method, headers, ...body }, onDone, acknowledge);
  }

  /** The ACK already goes to where the peer moved. */
  function acknowledge(response: ReceivedResponse): void {
    peer.retarget(response);
    if (method === "INVITE") peer.acknowledge(response.essentials.cseq.number);
  }

  function onDone(result: RequestResult): void {
    const status = result.kind === "response" ? result.response.status : null;
    // An answer is acknowledged even if it is no longer awaited.
    if (result.kind === "response" && result.response.status < 300) acknowledge(result.response);
    if (isOver) return;
    if (status === 491 && triesLeft > 0) {
      triesLeft -= 1;
      cancelRetry = core.clock.setTimer(2_100 + core.random.fraction() * 1_900, attempt);
    } else if (result.kind === "response" && status === 422 && raiseInterval(result.response)) attempt();
    else finish(judge(result));
  }

  function raiseInterval(response: ReceivedResponse): boolean {
    const wantedS = headerNumber(response, "Min-SE") ?? 0;
    if (terms === null || wantedS <= terms.intervalS || wantedS > 86_400) return false;
    minS = wantedS;
    terms = { ...terms, intervalS: wantedS };
    return true;
  }

  function judge(result: RequestResult): ReOfferResult {
    if (result.kind === "timeout") return { kind: "gone", reason: "no answer inside the call", isForgotten: false };
    if (result.kind === "transport") return { kind: "not_sent", reason: result.reason };
    const { response } = result;
    if (response.status < 300) {
      return { kind: "accepted", sdp: sdpOf(response), terms: termsFromAnswer(response, terms?.intervalS ?? null) };
    }
    if (response.status === 481)
      return { kind: "gone", reason: "The other end no longer knew the call.", isForgotten: true };
    if (response.status === 408) return { kind: "gone", reason: "no answer inside the call", isForgotten: false };
    return { kind: "refused", status: response.status };
  }

  function finish(result: ReOfferResult): void {
    isOver = true;
    onResult(result);
  }

  attempt();
  return () => {
    isOver = true;
    cancelRetry();
  };
}
