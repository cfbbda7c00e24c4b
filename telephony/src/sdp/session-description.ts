/** RFC 8866, as far as an audio call needs it. Everything else is ignored but counted. */
export interface SessionDescription {
  readonly origin: Origin;
  readonly media: readonly MediaDescription[];
}

/** RFC 8866 section 5.2:  o=- 20518 0 IN IP4 203.0.113.1 */
export interface Origin {
  readonly username: string;
  /** Numbers too large for a double are common here, so they stay text. */
  readonly id: string;
  readonly version: string;
  readonly address: string;
}

export type Direction = "sendrecv" | "sendonly" | "recvonly" | "inactive";

export interface MediaDescription {
  /** `audio`, `image`, `video` and so on. */
  readonly type: string;
  /** 0 refuses the medium (RFC 3264 section 6). */
  readonly port: number;
  /** `RTP/AVP`, `RTP/SAVP`, `udptl` and so on. */
  readonly protocol: string;
  /** The formats in order of preference, as they stand in the m= line. */
  readonly formats: readonly string[];
  /** Where to send it: the medium's own address, else that of the session. Null when neither says. */
  readonly address: string | null;
  readonly direction: Direction;
  readonly codecs: readonly Codec[];
  readonly ptimeMs: number | null;
  readonly crypto: readonly CryptoLine[];
  /** RFC 3605: where its RTCP goes when that is not the next port. */
  readonly rtcp: { readonly port: number; readonly address: string | null } | null;
  /** RFC 5761: RTCP comes on the same port. */
  readonly rtcpMux: boolean;
}

/** One payload type: what its a=rtpmap says, or what RFC 3551 says where there is none. */
export interface Codec {
  readonly payloadType: number;
  readonly name: string;
  readonly clockRateHz: number;
  readonly channels: number;
  /** What a=fmtp says, uninterpreted. */
  readonly parameters: string | null;
}

/** RFC 4568:  a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20 */
export interface CryptoLine {
  readonly tag: number;
  readonly suite: string;
  /** The master key and salt, in Base64. */
  readonly keyAndSalt: string;
}

/** RFC 3264 section 8.4 and the way of RFC 2543: the peer does not want to hear us, or says it has no address. */
export function isOnHold(media: MediaDescription): boolean {
  return media.direction === "sendonly" || media.direction === "inactive" || isNoAddress(media.address);
}

export function isNoAddress(address: string | null): boolean {
  return address === "0.0.0.0" || address === "::";
}
