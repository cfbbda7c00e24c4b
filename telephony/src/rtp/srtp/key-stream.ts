import { type Cipheriv, createCipheriv } from "node:crypto";
import { readUint16, readUint32 } from "../packet.ts";

const BLOCK_BYTES = 16;
/** The largest packet a media socket reads, in blocks. */
const BLOCKS_MAX = 128;
/** Longer datagrams are not telephone audio and are dropped unread. */
export const PROTECTED_BYTES_MAX = BLOCK_BYTES * BLOCKS_MAX;

/** Scratch memory of a thread, which computes one key stream at a time. */
const counters = Buffer.alloc(PROTECTED_BYTES_MAX);
const counterWords = new DataView(counters.buffer, counters.byteOffset, counters.length);

/**
 * The key stream of RFC 3711 section 4.1.1: AES in counter mode. One block cipher lives as long as the call and makes the
 * stream from its counters, several packets at a time, because a call into C costs as much as all their blocks.
 */
export class KeyStream {
  readonly #cipher: Cipheriv;
  readonly #salt: Uint8Array;
  readonly #packetsAhead: number;
  #stream: Uint8Array = new Uint8Array(0);
  #blocksPerPacket = 0;
  #ssrc = 0;
  #firstIndex = 0;
  #packets = 0;

  /** `packetsAhead` is how many packets of one length are expected to follow each other. */
  constructor(encryptionKey: Uint8Array, salt: Uint8Array, packetsAhead: number) {
    this.#cipher = createCipheriv("aes-128-ecb", encryptionKey, null).setAutoPadding(false);
    this.#salt = salt;
    this.#packetsAhead = packetsAhead;
  }

  /** Encrypts or decrypts in place, which is the same. */
  apply(bytes: Uint8Array, start: number, end: number, ssrc: number, index: number): void {
    const length = end - start;
    if (length <= 0) return;
    const blocks = Math.ceil(length / BLOCK_BYTES);
    if (blocks > BLOCKS_MAX) throw new RangeError(`${length} bytes are no packet of telephone audio`);
    const ahead = index - this.#firstIndex;
    const isThere = ssrc === this.#ssrc && blocks <= this.#blocksPerPacket && ahead >= 0 && ahead < this.#packets;
    if (!isThere) this.#make(blocks, ssrc, index);
    const from = isThere ? ahead * this.#blocksPerPacket * BLOCK_BYTES : 0;
    const stream = this.#stream;
    for (let at = 0; at < length; at++) {
      bytes[start + at] = (bytes[start + at] as number) ^ (stream[from + at] as number);
    }
  }

  #make(blocksPerPacket: number, ssrc: number, firstIndex: number): void {
    const packets = Math.max(1, Math.min(this.#packetsAhead, Math.floor(BLOCKS_MAX / blocksPerPacket)));
    for (let packet = 0; packet < packets; packet++) {
      this.#writeCounters(packet * blocksPerPacket, blocksPerPacket, ssrc, firstIndex + packet);
    }
    this.#stream = this.#cipher.update(counters.subarray(0, packets * blocksPerPacket * BLOCK_BYTES));
    this.#blocksPerPacket = blocksPerPacket;
    this.#ssrc = ssrc;
    this.#firstIndex = firstIndex;
    this.#packets = packets;
  }

  /** IV = salt * 2^16 XOR ssrc * 2^64 XOR index * 2^16, where the lowest 16 bits count the blocks. */
  #writeCounters(firstBlock: number, blocks: number, ssrc: number, index: number): void {
    const salt = this.#salt;
    const first = readUint32(salt, 0);
    const second = readUint32(salt, 4) ^ ssrc;
    // The index has 48 bits, more than bitwise operators take.
    const third = readUint32(salt, 8) ^ Math.floor(index / 0x1_0000);
    const fourth = (readUint16(salt, 12) ^ (index & 0xffff)) << 16;
    for (let block = 0; block < blocks; block++) {
      const at = (firstBlock + block) * BLOCK_BYTES;
      counterWords.setUint32(at, first);
      counterWords.setUint32(at + 4, second);
      counterWords.setUint32(at + 8, third);
      counterWords.setUint32(at + 12, fourth | block);
    }
  }
}
