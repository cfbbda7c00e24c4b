import { isCodec } from "./codecs.ts";
import {
  type Codec,
  type CryptoLine,
  type Direction,
  isNoAddress,
  type MediaDescription,
} from "./session-description.ts";

/** Whether the audio of a call is encrypted: never, where the peer supports it, or always. */
export type SrtpPolicy = "off" | "optional" | "required";

/** What both ends agreed on: everything needed to send and receive audio. */
export interface MediaTerms {
  /** Where to send, null while the peer has no address for us (hold the old way). */
  readonly remote: { readonly address: string; readonly port: number } | null;
  readonly remoteRtcp: { readonly address: string; readonly port: number } | null;
  readonly codec: Codec;
  /** RFC 4733: the payload type for key presses, null when they were not agreed. */
  readonly telephoneEvent: Codec | null;
  /** How much audio the peer wants in one packet. */
  readonly ptimeMs: number;
  /** As seen from us: whether we may send and whether we expect to receive. */
  readonly sends: boolean;
  readonly receives: boolean;
  readonly rtcpMux: boolean;
  /** RFC 4568: the keys of both directions, null without encryption. */
  readonly srtp: { readonly suite: string; readonly ownKey: string; readonly peerKey: string } | null;
}

export const PTIME_DEFAULT_MS = 20;
const PTIME_MIN_MS = 10;
const PTIME_MAX_MS = 40;

/** Values outside 10 to 40 ms, or not a multiple of 10, are replaced by the default. */
export function acceptablePtime(wantedMs: number | null): number {
  const isFine = wantedMs !== null && wantedMs >= PTIME_MIN_MS && wantedMs <= PTIME_MAX_MS && wantedMs % 10 === 0;
  return isFine ? wantedMs : PTIME_DEFAULT_MS;
}

/** The codecs we have. */
export type SpeechCodecName = "PCMU" | "PCMA" | "G722" | "OPUS";

const TELEPHONE_CODECS: readonly SpeechCodecName[] = ["PCMU", "PCMA", "G722"];

/** Which of our codecs it is, or null. */
export function speechCodecOf(codec: Codec): SpeechCodecName | null {
  // RFC 7587 section 7: always two channels, also for one.
  if (isCodec(codec, "OPUS", OPUS_CLOCK_RATE_HZ)) return codec.channels === 2 ? "OPUS" : null;
  if (codec.channels !== 1) return null;
  return TELEPHONE_CODECS.find((name) => isCodec(codec, name)) ?? null;
}

const OPUS_CLOCK_RATE_HZ = 48_000;

/**
 * RFC 7587 section 6.1, as we offer it: we play and record 8 kHz, so that the peer need not send more, and make use of error
 * correction. The number is ours to choose (RFC 3551 section 6).
 */
export const OPUS: Codec = {
  payloadType: 96,
  name: "opus",
  clockRateHz: OPUS_CLOCK_RATE_HZ,
  channels: 2,
  parameters: "maxplaybackrate=8000;sprop-maxcapturerate=8000;useinbandfec=1",
};

/** The telephone events that go with a codec: RFC 4733 section 2.1 wants the clock of the audio. Null if there are none. */
export function telephoneEventFor(codec: Codec, among: readonly Codec[]): Codec | null {
  const withClock = (clockRateHz: number) => among.find((each) => isCodec(each, "telephone-event", clockRateHz));
  return withClock(codec.clockRateHz) ?? withClock(8_000) ?? null;
}

/** RFC 4568 section 6.2: the suites we can do, in the order in which we offer them. */
export const SRTP_SUITES: readonly string[] = ["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"];
/** 16 bytes of key and 14 of salt. */
const KEY_AND_SALT_BYTES = 30;

export function usableCrypto(lines: readonly CryptoLine[]): CryptoLine | null {
  const isUsable = ({ suite, keyAndSalt }: CryptoLine) =>
    SRTP_SUITES.includes(suite) && Buffer.from(keyAndSalt, "base64").length === KEY_AND_SALT_BYTES;
  return lines.find(isUsable) ?? null;
}

/** RFC 3264 section 6.1: what we answer to a direction, when we ourselves would do both. */
export function answeringDirection(offered: Direction): Direction {
  if (offered === "sendonly") return "recvonly";
  return offered === "recvonly" ? "sendonly" : offered;
}

/** Where the peer wants its packets, from its description. */
export function remoteOf(media: MediaDescription): Pick<MediaTerms, "remote" | "remoteRtcp"> {
  if (media.address === null || isNoAddress(media.address) || media.port === 0)
    return { remote: null, remoteRtcp: null };
  const rtcpPort = media.rtcpMux ? media.port : (media.rtcp?.port ?? media.port + 1);
  return {
    remote: { address: media.address, port: media.port },
    remoteRtcp: rtcpPort > 65_535 ? null : { address: media.rtcp?.address ?? media.address, port: rtcpPort },
  };
}
