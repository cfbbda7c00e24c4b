import { STATIC_CODECS } from "./codecs.ts";
import { PTIME_DEFAULT_MS, SRTP_SUITES, type SrtpPolicy } from "./media-terms.ts";
import type { Codec, CryptoLine, Direction, MediaDescription, SessionDescription } from "./session-description.ts";

export type SpeechCodecName = "PCMU" | "PCMA";

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

/**
 * The offer of an INVITE (RFC 3264 section 5). Where encryption is optional it is offered as RTP/AVP with a=crypto lines, which
 * peers that cannot do it pass over, because two media lines for one conversation confuse more trunks than they help.
 */
export function makeOffer(local: LocalMedia, version = 1, direction: Direction = "sendrecv"): SessionDescription {
  const codecs = [...local.codecs.map(staticCodec), TELEPHONE_EVENT];
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
export function isOwnPlace(local: LocalMedia, media: MediaDescription): boolean {
  return media.address === local.address && media.port === local.port;
}

export function offeredCrypto(local: LocalMedia): CryptoLine[] {
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
