import { writeUint32 } from "../packet.ts";
import { HmacSha1, SHA1_BYTES } from "./hmac-sha1.ts";
import { KeyStream } from "./key-stream.ts";
import type { PacketKeys } from "./srtp-keys.ts";

const NO_TRAILER = new Uint8Array(0);
/** All tags of a thread are compared or copied before the next one is computed. */
const signature = new Uint8Array(SHA1_BYTES);

/** RFC 3711 sections 4.1.1 and 4.2.1: AES in counter mode, and HMAC-SHA1. */
export class SrtpCipher {
  readonly #stream: KeyStream;
  readonly #hmac: HmacSha1;

  /** `packetsAhead` is how many packets of one length are expected to follow each other. */
  constructor({ encryptionKey, authenticationKey, salt }: PacketKeys, packetsAhead = 1) {
    this.#stream = new KeyStream(encryptionKey, salt, packetsAhead);
    this.#hmac = new HmacSha1(authenticationKey);
  }

  /** Encrypts or decrypts in place, which is the same. */
  apply(bytes: Uint8Array, start: number, end: number, ssrc: number, index: number): void {
    this.#stream.apply(bytes, start, end, ssrc, index);
  }

  /**
   * The signature over the packet and, for RTP, the roll-over counter that the packet does not carry. Its memory is used
   * again for the next one.
   */
  sign(bytes: Uint8Array, length: number, trailer: Uint8Array = NO_TRAILER): Uint8Array {
    this.#hmac.sign(bytes, length, trailer, signature);
    return signature;
  }
}

/** Compares all bytes in constant time. */
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
