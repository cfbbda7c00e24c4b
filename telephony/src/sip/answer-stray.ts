import { createHash } from "node:crypto";
import { type AgentCore, ALLOWED_METHODS } from "./agent-core.ts";
import { buildResponse } from "./build-response.ts";
import type { HeaderLine, ReceivedRequest, SipResponse } from "./message.ts";
import { tagOf } from "./name-addr.ts";
import { createSourceLimiter } from "./source-limiter.ts";
import type { Hop } from "./transport/sip-transport.ts";
import { branchOf } from "./via.ts";
import { writeMessage } from "./write-message.ts";

const PER_SOURCE = { perSecond: 5, burst: 20, sourcesMax: 1_000 };
/**
 * A trunk that gets no answer to its OPTIONS takes us for dead. Somebody who forges its address cannot use up what it
 * has coming, short of a flood that its own repetitions still get through.
 */
const PER_TRUNK = { perSecond: 100, burst: 200, sourcesMax: 1_000 };
const ALTOGETHER = { perSecond: 200, burst: 400, sourcesMax: 1 };

/**
 * Answers requests that belong to no call: scanners, lost peers, and trunks that look whether we are there. Nothing is
 * remembered of them. Since their source may be forged, the reply is never frequent, and to others than trunks never larger
 * than the request.
 */
export function createStrayAnswerer(core: AgentCore, isTrunk: (address: string) => boolean) {
  const mayAnswerSource = createSourceLimiter(core.clock, PER_SOURCE);
  const mayAnswerTrunk = createSourceLimiter(core.clock, PER_TRUNK);
  const mayAnswer = createSourceLimiter(core.clock, ALTOGETHER);
  const secret = core.random.hex(16);

  return (request: ReceivedRequest, source: Hop, byteLength: number): void => {
    // RFC 3261 section 17: an ACK is never answered.
    if (request.method === "ACK") return;
    const isTrunkLooking = request.method === "OPTIONS" && isTrunk(source.address);
    if (isTrunkLooking) {
      if (!mayAnswerTrunk(source.address)) return;
    } else if (!mayAnswerSource(source.address) || !mayAnswer("all")) return;
    const status = statusFor(request);
    // RFC 3261 section 8.2.7: without state the tag must come out the same for every repetition.
    const { callId, via } = request.essentials;
    const toTag = createHash("sha256")
      .update(`${secret} ${callId} ${branchOf(via)}`)
      .digest("hex")
      .slice(0, 12);
    const wordy = buildResponse(request, status, { toTag, headers: headersFor(status) });
    const terse = buildResponse(request, status, { toTag });
    const fits = (response: SipResponse) => writeMessage(response).length <= byteLength;
    // RFC 3261 section 11.2: a trunk learns what we can do, however short its question is. Its own limit bounds the rest.
    const response = isTrunkLooking ? wordy : [wordy, terse].find(fits);
    if (response !== undefined) core.layer.respondOnce(request, source, response);
  };
}

function statusFor(request: ReceivedRequest): number {
  const isInsideACall = tagOf(request.essentials.to) !== null;
  if (isInsideACall || request.method === "CANCEL" || request.method === "NOTIFY") return 481;
  return request.method === "OPTIONS" ? 200 : 403;
}

function headersFor(status: number): readonly HeaderLine[] {
  return status === 200 ? [["Allow", ALLOWED_METHODS]] : [];
}
