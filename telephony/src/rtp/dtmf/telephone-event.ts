import { DTMF_KEYS } from "@parley/audio/dtmf";
import { readUint16, writeUint16 } from "../packet.ts";

/**
 * RFC 4733 section 2.3, the payload of a telephone event:
 *
 *      0                   1                   2                   3
 *      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *     |     event     |E|R| volume    |          duration             |
 *     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
export interface TelephoneEvent {
  /** Section 3.2: 0 to 9, * is 10, # is 11, A to D are 12 to 15. */
  code: number;
  isEnd: boolean;
  durationSamples: number;
}

export const TELEPHONE_EVENT_BYTES = 4;
const END_BIT = 0x80;
/** -10 dBm0, the volume that section 2.3.4 lets us choose. */
const VOLUME = 10;
const KEYS_BY_CODE = "0123456789*#ABCD";

/** False when the payload is too short or its event is not a telephone key. */
export function readTelephoneEvent(bytes: Uint8Array, start: number, length: number, into: TelephoneEvent): boolean {
  if (length < TELEPHONE_EVENT_BYTES || (bytes[start] as number) >= KEYS_BY_CODE.length) return false;
  into.code = bytes[start] as number;
  into.isEnd = ((bytes[start + 1] as number) & END_BIT) !== 0;
  into.durationSamples = readUint16(bytes, start + 2);
  return true;
}

export function writeTelephoneEvent(out: Uint8Array, at: number, event: TelephoneEvent): void {
  out[at] = event.code;
  out[at + 1] = event.isEnd ? END_BIT | VOLUME : VOLUME;
  writeUint16(out, at + 2, event.durationSamples);
}

export function keyOf(code: number): string {
  return KEYS_BY_CODE.charAt(code);
}

/** The code of a key, or -1 for a sign that no telephone has. */
export function codeOfKey(key: string): number {
  const upper = key.toUpperCase();
  return upper.length === 1 && DTMF_KEYS.includes(upper) ? KEYS_BY_CODE.indexOf(upper) : -1;
}
