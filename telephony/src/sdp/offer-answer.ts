import { STATIC_CODECS } from "./codecs.ts";
import {
  acceptablePtime,
  answeringDirection,
  type MediaTerms,
  OPUS,
  PTIME_DEFAULT_MS,
  remoteOf,
  type SpeechCodecName,
  SRTP_SUITES,
  type SrtpPolicy,
  speechCodecOf,
  telephoneEventFor,
  usableCrypto,
} from "./media-terms.ts";
import type { Codec, CryptoLine, Direction, MediaDescription, SessionDescription } from "./session-description.ts";

/** What our side of a call puts into every description. */
export interface LocalMedia {
  readonly address: string;
  readonly port: number;
  /** Stays the same for the whole call (RFC 8866 section 5.2). */
  readonly originId: string;
  /** In order of preference. */
  readonly codecs: readonly SpeechCodecName[];
  readonly srtp: SrtpPolicy;
  /** One key for each suite, in Base64: 16 bytes of key and 14 of salt. Not needed when `srtp` is off. */
  readonly srtpKeys: readonly string[];
}

const TELEPHONE_EVENT: Codec = {
  payloadType: 101,
  name: "telephone-event",
  clockRateHz: 8_000,
  channels: 1,
  parameters: "0-15",
};

/** With the clock of Opus. */
const OPUS_TELEPHONE_EVENT: Codec = { ...TELEPHONE_EVENT, payloadType: 97, clockRateHz: OPUS.clockRateHz };

/**
 * The offer of an INVITE (RFC 3264 section 5). Where encryption is optional it is offered as RTP/AVP with a=crypto lines, which
 * peers that cannot do it pass over, because two media lines for one conversation confuse more trunks than they help.
 */
export function makeOffer(local: LocalMedia, version = 1, direction: Direction = "sendrecv"): SessionDescription {
  const hasOpus = local.codecs.includes("OPUS");
  const codecs = [
    ...local.codecs.map((name) => (name === "OPUS" ? OPUS : staticCodec(name))),
    TELEPHONE_EVENT,
    ...(hasOpus ? [OPUS_TELEPHONE_EVENT] : []),
  ];
  const media: MediaDescription = {
    type: "audio",
    port: local.port,
    protocol: local.srtp === "required" ? "RTP/SAVP" : "RTP/AVP",
    formats: codecs.map(({ payloadType }) => String(payloadType)),
    address: local.address,
    direction,
    codecs,
    ptimeMs: PTIME_DEFAULT_MS,
    crypto: offeredCrypto(local),
    rtcp: null,
    rtcpMux: false,
  };
  return {
    origin: { username: "-", id: local.originId, version: String(version), address: local.address },
    media: [media],
  };
}

/** Whether the peer's description contains our own port: we would hear ourselves and not notice it. */
function isOwnPlace(local: LocalMedia, media: MediaDescription): boolean {
  return media.address === local.address && media.port === local.port;
}

function offeredCrypto(local: LocalMedia): CryptoLine[] {
  if (local.srtp === "off") return [];
  return SRTP_SUITES.flatMap((suite, index) => {
    const keyAndSalt = local.srtpKeys[index];
    return keyAndSalt === undefined ? [] : [{ tag: index + 1, suite, keyAndSalt }];
  });
}

function staticCodec(name: SpeechCodecName): Codec {
  const found = [...STATIC_CODECS.values()].find((codec) => codec.name === name);
  if (found === undefined) throw new Error(`${name} has no static payload type`);
  return found;
}

export type TermsOutcome =
  | { readonly ok: true; readonly terms: MediaTerms }
  | { readonly ok: false; readonly reason: string };

/** Reads the peer's answer to our offer (RFC 3264 section 7). */
export function takeAnswer(offer: SessionDescription, local: LocalMedia, answer: SessionDescription): TermsOutcome {
  const ours = offer.media[0];
  // RFC 3264 section 6: the media of an answer are in the order of the offer; ours had one.
  const media = answer.media[0];
  if (ours === undefined || media === undefined || media.type !== "audio" || media.port === 0) {
    return { ok: false, reason: "the answer refuses the audio" };
  }
  if (isOwnPlace(local, media)) return { ok: false, reason: "the answer sends our own audio back to us" };
  const codec = media.codecs.find((each) => isOurs(local, each));
  if (codec === undefined) return { ok: false, reason: "the answer has no codec of ours" };
  const srtp = takeCrypto(local, media);
  if (srtp === "missing") return { ok: false, reason: "the answer is not encrypted" };
  const telephoneEvent = telephoneEventFor(codec, media.codecs);
  const hears = media.direction === "sendrecv" || media.direction === "recvonly";
  const speaks = media.direction === "sendrecv" || media.direction === "sendonly";
  const weSend = ours.direction === "sendrecv" || ours.direction === "sendonly";
  const weReceive = ours.direction === "sendrecv" || ours.direction === "recvonly";
  return {
    ok: true,
    terms: {
      ...remoteOf(media),
      codec,
      telephoneEvent,
      ptimeMs: acceptablePtime(media.ptimeMs),
      sends: weSend && hears && remoteOf(media).remote !== null,
      receives: weReceive && speaks,
      rtcpMux: ours.rtcpMux && media.rtcpMux,
      srtp,
    },
  };
}

/** RFC 4568 section 5.1.2: the answer repeats the tag of the line it takes. */
function takeCrypto(local: LocalMedia, media: MediaDescription): MediaTerms["srtp"] | "missing" {
  const taken = usableCrypto(media.crypto);
  const own =
    taken === null
      ? undefined
      : offeredCrypto(local).find(({ tag, suite }) => tag === taken.tag && suite === taken.suite);
  if (taken === null || own === undefined)
    return local.srtp === "required" || media.protocol.includes("SAVP") ? "missing" : null;
  return { suite: taken.suite, ownKey: own.keyAndSalt, peerKey: taken.keyAndSalt };
}

export type ReOfferOutcome =
  | { readonly ok: true; readonly answer: SessionDescription; readonly terms: MediaTerms }
  /** To be refused with 488. */
  | { readonly ok: false; readonly reason: string };

/**
 * Answers an offer the peer makes inside the call (RFC 3264 sections 6 and 8): hold, another address, another codec. `version` is
 * the number of our last description; the answer bears the next one.
 */
export function answerReOffer(local: LocalMedia, version: number, offer: SessionDescription): ReOfferOutcome {
  const chosen = offer.media.findIndex((media) => canTake(local, media));
  const media = offer.media[chosen];
  if (media === undefined) return { ok: false, reason: refusalOf(local, offer) };
  if (isOwnPlace(local, media)) return { ok: false, reason: "the offer sends our own audio back to us" };
  const speech = media.codecs.filter((codec) => isOurs(local, codec));
  const codec = speech[0];
  if (codec === undefined) return { ok: false, reason: refusalOf(local, offer) };
  const telephoneEvent = telephoneEventFor(codec, media.codecs);
  const crypto = local.srtp === "off" ? null : usableCrypto(media.crypto);
  const own = crypto === null ? null : ownCrypto(local, crypto);
  const direction = answeringDirection(media.direction);
  const ptimeMs = acceptablePtime(media.ptimeMs);
  const answered: MediaDescription = {
    type: "audio",
    port: local.port,
    protocol: media.protocol,
    // RFC 3264 section 6.1: the peer's payload types, in the order in which it prefers them.
    formats: [...speech, ...(telephoneEvent === null ? [] : [telephoneEvent])].map(({ payloadType }) =>
      String(payloadType),
    ),
    address: local.address,
    direction,
    codecs: [
      ...speech.map(withOurParameters),
      ...(telephoneEvent === null ? [] : [{ ...telephoneEvent, parameters: "0-15" }]),
    ],
    ptimeMs,
    crypto: own === null ? [] : [own],
    rtcp: null,
    rtcpMux: false,
  };
  const answer: SessionDescription = {
    origin: { username: "-", id: local.originId, version: String(version + 1), address: local.address },
    media: offer.media.map((each, index) => (index === chosen ? answered : refused(each))),
  };
  const { remote, remoteRtcp } = remoteOf(media);
  const terms: MediaTerms = {
    remote,
    remoteRtcp,
    codec,
    telephoneEvent,
    ptimeMs,
    sends: remote !== null && (direction === "sendrecv" || direction === "sendonly"),
    receives: direction === "sendrecv" || direction === "recvonly",
    rtcpMux: false,
    srtp:
      crypto === null || own === null
        ? null
        : { suite: crypto.suite, ownKey: own.keyAndSalt, peerKey: crypto.keyAndSalt },
  };
  return { ok: true, answer, terms };
}

/** RFC 3264 section 6.1: parameters say what their author can receive, and are not repeated. */
function withOurParameters(codec: Codec): Codec {
  return speechCodecOf(codec) === "OPUS" ? { ...codec, parameters: OPUS.parameters } : codec;
}

function canTake(local: LocalMedia, media: MediaDescription): boolean {
  if (media.type !== "audio" || media.port === 0 || !media.codecs.some((codec) => isOurs(local, codec))) return false;
  const crypto = usableCrypto(media.crypto);
  if (media.protocol === "RTP/AVP") return local.srtp !== "required" || crypto !== null;
  // RTP/SAVPF and the DTLS kinds belong to browsers; a trunk that offers them also offers the plain kinds.
  return media.protocol === "RTP/SAVP" && local.srtp !== "off" && crypto !== null;
}

function isOurs(local: LocalMedia, codec: Codec): boolean {
  const name = speechCodecOf(codec);
  return name !== null && local.codecs.includes(name);
}

function ownCrypto(local: LocalMedia, offered: CryptoLine): CryptoLine | null {
  const keyAndSalt = local.srtpKeys[SRTP_SUITES.indexOf(offered.suite)];
  return keyAndSalt === undefined ? null : { tag: offered.tag, suite: offered.suite, keyAndSalt };
}

/** RFC 3264 section 6: a rejected medium is listed with port 0, to keep the order. */
function refused(media: MediaDescription): MediaDescription {
  return { ...media, port: 0, address: null, codecs: [], ptimeMs: null, crypto: [], rtcp: null, rtcpMux: false };
}

function refusalOf(local: LocalMedia, offer: SessionDescription): string {
  // RFC 3362: a fax machine asks to replace audio by T.38, which we do not support.
  if (offer.media.some(({ type, port }) => type === "image" && port !== 0)) return "fax (T.38) is not supported";
  const audio = offer.media.find(({ type, port }) => type === "audio" && port !== 0);
  if (audio === undefined) return "no audio is offered";
  if (!audio.codecs.some((codec) => isOurs(local, codec))) return "no codec of ours is offered";
  return local.srtp === "required"
    ? "encryption is required and not offered"
    : "the offered encryption is not supported";
}
