import type { SrtpKeying } from "../srtp/srtp-keys.ts";
import { isSameAddress, type MediaAddress } from "./media-address.ts";

type MediaCodec = "PCMU" | "PCMA" | "G722" | "OPUS";

/** Seen from our side: `sendonly` means that the far end listens and is silent. */
export type MediaDirection = "sendrecv" | "sendonly" | "recvonly" | "inactive";

/** The result of an offer and its answer. A leg gets one with the first SDP and a new one with each later SDP. */
export interface MediaSetup {
  /** Null while the far end names no address: nothing is sent, and what comes is missed if it does not. */
  remote: MediaAddress | null;
  /** Null when RTCP travels on the RTP port (RFC 5761). */
  remoteControl: MediaAddress | null;
  /** False while the SDP came with an 18x: the audio may be an announcement. */
  isFinal: boolean;
  direction: MediaDirection;
  codec: MediaCodec;
  payloadType: number;
  /** Null when telephone events were not negotiated; keys are then played, and detected, as tones. */
  dtmfPayloadType: number | null;
  /** In which telephone events count their duration; without it that of a telephone. */
  dtmfRateHz?: number;
  srtp: { send: SrtpKeying; receive: SrtpKeying } | null;
}

export function sendsAudio(direction: MediaDirection): boolean {
  return direction === "sendrecv" || direction === "sendonly";
}

export function expectsAudio(direction: MediaDirection): boolean {
  return direction === "sendrecv" || direction === "recvonly";
}

/** Where reports go when audio goes to `target`. If that differs from the SDP, it is assumed to be one port above. */
export function controlAddress({ remote, remoteControl }: MediaSetup, target: MediaAddress): MediaAddress {
  if (remoteControl === null) return target;
  const isAsSignalled = isSameAddress(remote, target.host, target.port);
  return isAsSignalled ? remoteControl : { host: target.host, port: target.port + 1 };
}

/** RFC 3551 section 6 assigns these numbers permanently. */
export const PAYLOAD_PCMU = 0;
export const PAYLOAD_PCMA = 8;
/** RFC 3389: comfort noise, with which a sender says that it will be silent. */
export const PAYLOAD_COMFORT_NOISE = 13;
