import { isCodec } from "./codecs.ts";
import { isOwnPlace, type LocalMedia } from "./make-offer.ts";
import {
  acceptablePtime,
  answeringDirection,
  isSpeechCodec,
  isTelephoneEvent,
  type MediaTerms,
  remoteOf,
  SRTP_SUITES,
  usableCrypto,
} from "./media-terms.ts";
import type { Codec, CryptoLine, MediaDescription, SessionDescription } from "./session-description.ts";

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
  if (isOwnPlace(local, media)) return { ok: false, reason: "the offer sends our own sound back to us" };
  const speech = media.codecs.filter((codec) => isOurs(local, codec));
  const codec = speech[0];
  if (codec === undefined) return { ok: false, reason: refusalOf(local, offer) };
  const telephoneEvent = media.codecs.find(isTelephoneEvent) ?? null;
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
    codecs: [...speech, ...(telephoneEvent === null ? [] : [{ ...telephoneEvent, parameters: "0-15" }])],
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

function canTake(local: LocalMedia, media: MediaDescription): boolean {
  if (media.type !== "audio" || media.port === 0 || !media.codecs.some((codec) => isOurs(local, codec))) return false;
  const crypto = usableCrypto(media.crypto);
  if (media.protocol === "RTP/AVP") return local.srtp !== "required" || crypto !== null;
  // RTP/SAVPF and the DTLS kinds belong to browsers; a trunk that offers them also offers the plain kinds.
  return media.protocol === "RTP/SAVP" && local.srtp !== "off" && crypto !== null;
}

function isOurs(local: LocalMedia, codec: Codec): boolean {
  return isSpeechCodec(codec) && local.codecs.some((name) => isCodec(codec, name));
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
  if (audio === undefined) return "no sound is offered";
  if (!audio.codecs.some((codec) => isOurs(local, codec))) return "no codec of ours is offered";
  return local.srtp === "required"
    ? "encryption is required and not offered"
    : "the offered encryption is not supported";
}
