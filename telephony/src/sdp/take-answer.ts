import { isCodec } from "./codecs.ts";
import type { LocalMedia } from "./make-offer.ts";
import { isOwnPlace, offeredCrypto } from "./make-offer.ts";
import {
  acceptablePtime,
  isSpeechCodec,
  isTelephoneEvent,
  type MediaTerms,
  remoteOf,
  usableCrypto,
} from "./media-terms.ts";
import type { MediaDescription, SessionDescription } from "./session-description.ts";

export type TermsOutcome =
  | { readonly ok: true; readonly terms: MediaTerms }
  | { readonly ok: false; readonly reason: string };

/** Reads the peer's answer to our offer (RFC 3264 section 7). */
export function takeAnswer(offer: SessionDescription, local: LocalMedia, answer: SessionDescription): TermsOutcome {
  const ours = offer.media[0];
  // RFC 3264 section 6: the media of an answer are in the order of the offer; ours had one.
  const media = answer.media[0];
  if (ours === undefined || media === undefined || media.type !== "audio" || media.port === 0) {
    return { ok: false, reason: "the answer refuses the sound" };
  }
  if (isOwnPlace(local, media)) return { ok: false, reason: "the answer sends our own sound back to us" };
  const codec = media.codecs.find((each) => isSpeechCodec(each) && local.codecs.some((name) => isCodec(each, name)));
  if (codec === undefined) return { ok: false, reason: "the answer has no codec of ours" };
  const srtp = takeCrypto(local, media);
  if (srtp === "missing") return { ok: false, reason: "the answer is not encrypted" };
  const telephoneEvent = media.codecs.find(isTelephoneEvent) ?? null;
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
