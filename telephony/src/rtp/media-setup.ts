import { isSameAddress, type MediaAddress } from "./media-address.ts";
import type { SrtpKeying } from "./srtp-keys.ts";

type MediaCodec = "PCMU" | "PCMA";

/** Seen from our side: `sendonly` means that the far end listens and is silent. */
export type MediaDirection = "sendrecv" | "sendonly" | "recvonly" | "inactive";

/** What an offer and its answer agreed on. A leg is given one with the first SDP and a new one with each that follows. */
export interface MediaSetup {
  /** Null while the far end names no address: nothing is sent, and what comes is missed if it does not. */
  remote: MediaAddress | null;
  /** Null when RTCP travels on the RTP port (RFC 5761). */
  remoteControl: MediaAddress | null;
  /** False while the SDP came with an 18x: what is heard may be an announcement. */
  isFinal: boolean;
  direction: MediaDirection;
  codec: MediaCodec;
  payloadType: number;
  /** Null when telephone events were not agreed on; keys are then played, and heard, as sound. */
  dtmfPayloadType: number | null;
  srtp: { send: SrtpKeying; receive: SrtpKeying } | null;
}

export function sendsSound(direction: MediaDirection): boolean {
  return direction === "sendrecv" || direction === "sendonly";
}

export function expectsSound(direction: MediaDirection): boolean {
  return direction === "sendrecv" || direction === "recvonly";
}

/** Where reports go when sound goes to `target`. Where that is not what the SDP said, it is taken to be one port above. */
export function controlAddress({ remote, remoteControl }: MediaSetup, target: MediaAddress): MediaAddress {
  if (remoteControl === null) return target;
  const isAsSignalled = isSameAddress(remote, target.host, target.port);
  return isAsSignalled ? remoteControl : { host: target.host, port: target.port + 1 };
}

/** RFC 3551 section 6 gives these numbers for good. */
export const PAYLOAD_PCMU = 0;
export const PAYLOAD_PCMA = 8;
/** RFC 3389: comfort noise, with which a sender says that it will be silent. */
export const PAYLOAD_COMFORT_NOISE = 13;
