import { randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Mode } from "@parley/contract/shared-fields";

/**
 * What a key looks like to a secret scanner: the mode, 32 random characters, 6 characters of checksum.
 *
 *     svc_test_ 4Tq1xV0b8sYdPz7KcR2mWn5LhG9aEf3J 1k9XzQ
 *     prefix    random, base 62                  CRC-32 of all before it, base 62
 */
export const API_KEY_SCANNER = "\\bsvc_(?:live|test)_[0-9A-Za-z]{38}\\b";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;
const PREFIX_CHARS = "svc_test_".length + 4;
const SHAPE = new RegExp(`^${API_KEY_SCANNER}$`);
// Bytes from here on are thrown away: 248 is the last multiple of 62, and beyond it some characters would be likelier.
const UNBIASED_BELOW = 248;

/** Creates a key with 190 random bits. */
export function makeApiKey(mode: Mode): string {
  const body = `svc_${mode}_${randomBase62(RANDOM_CHARS)}`;
  return body + checksum(body);
}

/** Whether a text could be one of our keys: shape and checksum, without a lookup. Takes constant time. */
export function looksLikeApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_CHARS);
  return timingSafeEqual(Buffer.from(text.slice(-CHECKSUM_CHARS)), Buffer.from(checksum(body)));
}

/** The part of a key that stays visible: enough to recognise it, not enough to use it. */
export function describeKey(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, PREFIX_CHARS), lastFour: key.slice(-4) };
}

function checksum(body: string): string {
  let digits = "";
  for (let rest = crc32(body), i = 0; i < CHECKSUM_CHARS; i += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(chars: number): string {
  let text = "";
  while (text.length < chars) {
    for (const byte of randomBytes(chars)) {
      if (byte < UNBIASED_BELOW && text.length < chars) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
