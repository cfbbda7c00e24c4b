import { writeUint32 } from "../packet.ts";

export const SHA1_BYTES = 20;
const BLOCK_BYTES = 64;
/** 0x80 and the length in bits end the last block. */
const ENDING_BYTES = 9;
const INITIAL = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);

/** Scratch memory of a thread, which computes one signature at a time. */
const schedule = new Int32Array(80);
const state = new Int32Array(5);
const tail = new Uint8Array(2 * BLOCK_BYTES);
const outer = new Uint8Array(BLOCK_BYTES);

/**
 * HMAC-SHA1 (RFC 2104, FIPS 180-4) for the tags of SRTP. Node's own takes several times as long for packets of this size,
 * because it creates objects and calls into C for each; here the state after the padded key is kept for the whole call.
 * Every step takes the same time whatever the bytes are.
 */
export class HmacSha1 {
  readonly #inner: Int32Array;
  readonly #outer: Int32Array;

  constructor(key: Uint8Array) {
    if (key.length > BLOCK_BYTES) throw new RangeError("a key longer than a block would have to be hashed first");
    this.#inner = afterPaddedKey(key, 0x36);
    this.#outer = afterPaddedKey(key, 0x5c);
  }

  /** Signs the first `length` bytes and the trailer that follows them. Writes all 20 bytes of the signature. */
  sign(bytes: Uint8Array, length: number, trailer: Uint8Array, out: Uint8Array): void {
    state.set(this.#inner);
    const whole = length - (length % BLOCK_BYTES);
    for (let at = 0; at < whole; at += BLOCK_BYTES) compress(bytes, at);
    let filled = 0;
    for (let at = whole; at < length; at++) tail[filled++] = bytes[at] as number;
    for (let at = 0; at < trailer.length; at++) tail[filled++] = trailer[at] as number;
    finish(tail, filled, BLOCK_BYTES + length + trailer.length);
    writeState(outer);
    state.set(this.#outer);
    finish(outer, SHA1_BYTES, BLOCK_BYTES + SHA1_BYTES);
    writeState(out);
  }
}

function afterPaddedKey(key: Uint8Array, pad: number): Int32Array {
  const block = new Uint8Array(BLOCK_BYTES).fill(pad);
  for (let at = 0; at < key.length; at++) block[at] = (key[at] as number) ^ pad;
  state.set(INITIAL);
  compress(block, 0);
  return Int32Array.from(state);
}

/** The last bytes of a message lie at the beginning of `block`, which has room for the ending in one block or two. */
function finish(block: Uint8Array, filled: number, messageBytes: number): void {
  const blocks = filled + ENDING_BYTES <= BLOCK_BYTES ? 1 : 2;
  const end = blocks * BLOCK_BYTES;
  block[filled] = 0x80;
  for (let at = filled + 1; at < end - 4; at++) block[at] = 0;
  writeUint32(block, end - 4, messageBytes * 8);
  for (let at = 0; at < end; at += BLOCK_BYTES) compress(block, at);
}

function writeState(out: Uint8Array): void {
  for (let index = 0; index < state.length; index++) writeUint32(out, 4 * index, state[index] as number);
}

/** FIPS 180-4 section 6.1.2. The four kinds of rounds have their own loops, which saves a third of the time. */
function compress(bytes: Uint8Array, start: number): void {
  const w = schedule;
  for (let t = 0; t < 16; t++) {
    const at = start + 4 * t;
    w[t] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number);
  }
  for (let t = 16; t < 80; t++) {
    const x = (w[t - 3] as number) ^ (w[t - 8] as number) ^ (w[t - 14] as number) ^ (w[t - 16] as number);
    w[t] = (x << 1) | (x >>> 31);
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  for (let t = 0; t < 20; t++) {
    const next = (((a << 5) | (a >>> 27)) + ((b & c) | (~b & d)) + 0x5a827999 + e + (w[t] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let t = 20; t < 40; t++) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + 0x6ed9eba1 + e + (w[t] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let t = 40; t < 60; t++) {
    const next = (((a << 5) | (a >>> 27)) + ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc + e + (w[t] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (let t = 60; t < 80; t++) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + 0xca62c1d6 + e + (w[t] as number)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
}
