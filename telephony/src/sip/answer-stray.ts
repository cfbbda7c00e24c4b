import { createHash } from "node:crypto";
import type { Clock } from "@parley/time/clock";
import { type AgentCore, ALLOWED_METHODS } from "./agent-core.ts";
import { buildResponse } from "./message/build-response.ts";
import type { HeaderLine, ReceivedRequest, SipResponse } from "./message/message.ts";
import { tagOf } from "./message/name-addr.ts";
import { branchOf } from "./message/via.ts";
import { writeMessage } from "./message/write-message.ts";
import type { Hop } from "./transport/sip-transport.ts";

const PER_SOURCE = { perSecond: 5, burst: 20, sourcesMax: 1_000 };
/**
 * A trunk that gets no response to its OPTIONS considers us dead. A sender that forges its address cannot use up what it
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
    // RFC 3261 section 11.2: a trunk gets our capabilities, however short its request is. Its own limit bounds the
    // rest.
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

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export interface LimiterOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** How many sources are remembered; beyond them the one that was heard least recently is forgotten. */
  readonly sourcesMax: number;
}

/** Limits the rate of each source. Its memory is bounded whatever sources are forged. */
export function createSourceLimiter(clock: Clock, options: LimiterOptions): (source: string) => boolean {
  const buckets = new Map<string, Bucket>();
  return (source) => {
    const nowMs = clock.now();
    const known = buckets.get(source);
    buckets.delete(source);
    const bucket = known ?? { tokens: options.burst, filledAtMs: nowMs };
    const earned = ((nowMs - bucket.filledAtMs) / 1_000) * options.perSecond;
    bucket.tokens = Math.min(options.burst, bucket.tokens + Math.max(0, earned));
    bucket.filledAtMs = nowMs;
    buckets.set(source, bucket);
    if (buckets.size > options.sourcesMax) {
      const [oldest] = buckets.keys();
      if (oldest !== undefined) buckets.delete(oldest);
    }
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}

/** More machines than any operator's trunks have; names may come to mean others over the months. */
const ADDRESSES_MAX = 1_000;

/** The most recently noted addresses, up to a limit. */
export class RecentAddresses {
  readonly #addresses = new Set<string>();

  note(address: string): void {
    this.#addresses.delete(address);
    this.#addresses.add(address);
    const [oldest] = this.#addresses;
    if (this.#addresses.size > ADDRESSES_MAX && oldest !== undefined) this.#addresses.delete(oldest);
  }

  has(address: string): boolean {
    return this.#addresses.has(address);
  }
}
