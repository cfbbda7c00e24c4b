import { type Cipheriv, createCipheriv, createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { writeUint32 } from "./packet.ts";
import type { PacketKeys } from "./srtp-keys.ts";

const BLOCK_BYTES = 16;
/** The largest packet a media socket reads, in blocks. */
const BLOCKS_MAX = 128;
/** Longer datagrams are not telephone sound, and are dropped before they are looked at. */
export const PROTECTED_BYTES_MAX = BLOCK_BYTES * BLOCKS_MAX;
const NO_TRAILER = new Uint8Array(0);

/**
 * RFC 3711 sections 4.1.1 and 4.2.1: AES in counter mode, and HMAC-SHA1. One block cipher lives as long as the call and
 * makes the key stream of each packet from its counters, which is several times cheaper than a cipher per packet.
 */
export class SrtpCipher {
  readonly #blocks: Cipheriv;
  readonly #salt: Buffer;
  readonly #authenticationKey: KeyObject;
  readonly #counters = Buffer.alloc(BLOCK_BYTES * BLOCKS_MAX);

  constructor({ encryptionKey, authenticationKey, salt }: PacketKeys) {
    this.#blocks = createCipheriv("aes-128-ecb", encryptionKey, null).setAutoPadding(false);
    this.#salt = salt;
    this.#authenticationKey = createSecretKey(authenticationKey);
  }

  /**
   * Encrypts or decrypts in place, which is the same. Section 4.1.1: IV = salt * 2^16 XOR ssrc * 2^64 XOR index * 2^16,
   * where the lowest 16 bits count the blocks.
   */
  apply(bytes: Uint8Array, start: number, end: number, ssrc: number, index: number): void {
    const length = end - start;
    if (length <= 0) return;
    const blockCount = Math.ceil(length / BLOCK_BYTES);
    if (blockCount > BLOCKS_MAX) throw new RangeError(`${length} bytes are no packet of telephone sound`);
    const counters = this.#counters;
    const salt = this.#salt;
    for (let at = 0; at < salt.length; at++) counters[at] = salt[at] as number;
    for (let at = 0; at < 4; at++) counters[4 + at] = (counters[4 + at] as number) ^ ((ssrc >>> (24 - 8 * at)) & 0xff);
    const high = Math.floor(index / 2 ** 32);
    counters[8] = (counters[8] as number) ^ (high >>> 8);
    counters[9] = (counters[9] as number) ^ (high & 0xff);
    for (let at = 0; at < 4; at++) {
      counters[10 + at] = (counters[10 + at] as number) ^ ((index >>> (24 - 8 * at)) & 0xff);
    }
    for (let block = 0; block < blockCount; block++) {
      const at = block * BLOCK_BYTES;
      if (block > 0) counters.copyWithin(at, 0, BLOCK_BYTES - 2);
      counters[at + 14] = block >>> 8;
      counters[at + 15] = block & 0xff;
    }
    const stream = this.#blocks.update(counters.subarray(0, blockCount * BLOCK_BYTES));
    for (let at = 0; at < length; at++) bytes[start + at] = (bytes[start + at] as number) ^ (stream[at] as number);
  }

  /** The signature over the packet and, for RTP, the roll-over counter that the packet does not carry. */
  sign(bytes: Uint8Array, length: number, trailer: Uint8Array = NO_TRAILER): Buffer {
    return createHmac("sha1", this.#authenticationKey).update(bytes.subarray(0, length)).update(trailer).digest();
  }
}

/** Compares all bytes whatever the first ones are, so that the time taken tells nothing. */
export function tagMatches(tag: Uint8Array, bytes: Uint8Array, at: number, tagBytes: number): boolean {
  let difference = 0;
  for (let index = 0; index < tagBytes; index++) {
    difference |= (tag[index] as number) ^ (bytes[at + index] as number);
  }
  return difference === 0;
}

export function writeRollover(into: Uint8Array, rollover: number): Uint8Array {
  writeUint32(into, 0, rollover);
  return into;
}
