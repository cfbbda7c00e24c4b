import type { MediaAddress } from "../rtp/media-address.ts";
import type { MediaDirection, MediaSetup } from "../rtp/media-setup.ts";
import { keyingOf, type SrtpKeying, type SrtpSuite } from "../rtp/srtp-keys.ts";
import { isCodec } from "../sdp/codecs.ts";
import type { MediaTerms } from "../sdp/media-terms.ts";

/** Where packets go, as addresses; the description may have named the host otherwise. */
export interface MediaTarget {
  readonly remote: MediaAddress | null;
  readonly remoteControl: MediaAddress | null;
}

/** What the descriptions agreed on, as the media thread wants to know it. Null for keys that are none. */
export function mediaSetupOf(terms: MediaTerms, target: MediaTarget, isFinal: boolean): MediaSetup | null {
  const srtp = terms.srtp === null ? null : keysOf(terms.srtp);
  if (terms.srtp !== null && srtp === null) return null;
  return {
    ...target,
    isFinal,
    direction: directionOf(terms),
    codec: isCodec(terms.codec, "PCMA") ? "PCMA" : "PCMU",
    payloadType: terms.codec.payloadType,
    dtmfPayloadType: terms.telephoneEvent?.payloadType ?? null,
    srtp,
  };
}

function directionOf({ sends, receives }: MediaTerms): MediaDirection {
  if (sends) return receives ? "sendrecv" : "sendonly";
  return receives ? "recvonly" : "inactive";
}

function keysOf(srtp: NonNullable<MediaTerms["srtp"]>): { send: SrtpKeying; receive: SrtpKeying } | null {
  const suite = srtp.suite as SrtpSuite;
  const send = keyingOf(suite, srtp.ownKey);
  const receive = keyingOf(suite, srtp.peerKey);
  return send === null || receive === null ? null : { send, receive };
}
