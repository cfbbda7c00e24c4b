import { SUPPORTED_EXTENSIONS } from "../agent-core.ts";
import { MIN_SESSION_EXPIRES_S } from "../invite/build-invite.ts";
import type { MediaNegotiation } from "../invite/invite-events.ts";
import { buildResponse } from "../message/build-response.ts";
import type { ReceivedRequest, SipResponse } from "../message/message.ts";
import { headerTokens, sdpOf } from "../message/read-headers.ts";
import { describingHeaders, SDP_TYPE } from "../message/session-headers.ts";
import { type SessionTerms, termsFromRequest, termsHeaders } from "./session-timer.ts";

export interface OfferAnswer {
  readonly response: SipResponse;
  /** Null leaves the terms in force. */
  readonly terms: SessionTerms | null;
  /** Whether the peer's answer to our offer will come with the ACK. */
  readonly offersInAnswer: boolean;
}

/** Decides what an INVITE or UPDATE of the peer inside the call is answered with. */
export function answerOffer(request: ReceivedRequest, media: MediaNegotiation, contact: string): OfferAnswer {
  const refuse = (status: number, ...headers: (readonly [string, string])[]): OfferAnswer => ({
    response: buildResponse(request, status, { headers }),
    terms: null,
    offersInAnswer: false,
  });
  const terms = termsFromRequest(request);
  // RFC 4028 section 9.
  if (terms === "too_small") return refuse(422, ["Min-SE", String(MIN_SESSION_EXPIRES_S)]);
  const offer = sdpOf(request);
  if (offer === null && request.body.length > 0) return refuse(415, ["Accept", "application/sdp"]);
  const isInvite = request.method === "INVITE";
  const answer = offer !== null ? media.answerOffer(offer) : isInvite ? { sdp: media.currentOffer() } : null;
  if (answer !== null && "refuse" in answer) return refuse(answer.refuse);
  const headers = [
    ...describingHeaders(contact),
    ["Supported", "timer"] as const,
    ...(terms === null ? [] : termsHeaders(terms)),
    ...(answer === null ? [] : [SDP_TYPE]),
  ];
  const body = answer === null ? {} : { body: Buffer.from(answer.sdp) };
  return {
    response: buildResponse(request, 200, { headers, ...body }),
    terms,
    offersInAnswer: offer === null && isInvite,
  };
}

/** RFC 3261 section 8.2.2.3: what the peer demands and we do not know. */
export function unknownDemands(request: ReceivedRequest): string[] {
  return [...headerTokens(request, "Require")].filter((option) => !SUPPORTED_EXTENSIONS.has(option));
}
