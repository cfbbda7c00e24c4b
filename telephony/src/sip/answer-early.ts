import type { AgentCore } from "./agent-core.ts";
import { answerOffer } from "./answer-offer.ts";
import { buildResponse } from "./build-response.ts";
import type { MediaNegotiation } from "./invite-events.ts";
import type { InviteLeg } from "./invite-legs.ts";
import type { ReceivedRequest } from "./message.ts";
import { sdpOf } from "./read-headers.ts";
import type { Hop } from "./transport/sip-transport.ts";

export interface EarlyRequest {
  readonly core: AgentCore;
  readonly leg: InviteLeg;
  readonly media: MediaNegotiation;
  readonly request: ReceivedRequest;
  readonly source: Hop;
}

/** Answers a request of a peer that rings, or whose answer we have not acknowledged. True when it hung up. */
export function answerEarly({ core, leg, media, request, source }: EarlyRequest): boolean {
  if (request.method === "ACK") return false;
  const transaction = core.layer.accept(request, source);
  const respond = (status: number) => transaction.respond(buildResponse(request, status));
  if (!leg.peer.take(request)) respond(500);
  else if (request.method === "UPDATE") {
    // RFC 3311 section 5.2: while our own offer has no answer there is no room for another.
    if (sdpOf(request) !== null && !leg.hasReliableSdp) respond(491);
    else transaction.respond(answerOffer(request, media, ownContact(request)).response);
  } else if (["BYE", "INFO", "OPTIONS"].includes(request.method)) respond(200);
  // RFC 3261 section 14.2: an INVITE must wait until the first one is settled.
  else respond(request.method === "INVITE" ? 491 : 481);
  return request.method === "BYE";
}

/** The peer addressed us by the Contact it knows. */
function ownContact(request: ReceivedRequest): string {
  return `<${request.uri}>`;
}
