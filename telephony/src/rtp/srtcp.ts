import { PROTECTED_BYTES_MAX } from "./key-stream.ts";
import { readUint32, writeUint32 } from "./packet.ts";
import { ReplayWindow } from "./replay-window.ts";
import { SrtpCipher, tagMatches } from "./srtp-cipher.ts";
import { deriveRtcpKeys, SRTCP_TAG_BYTES, type SrtpKeying } from "./srtp-keys.ts";

/**
 * RFC 3711 section 3.4. RTCP carries its index in the open; E says whether the packet is encrypted:
 *
 *     +------------------+----------------------------+-+-------------+------------------------+
 *     | header and SSRC  |  reports, names, goodbyes  |E| SRTCP index |  authentication tag    |
 *     +------------------+----------------------------+-+-------------+------------------------+
 *                        |<------ encrypted --------->|
 *     |<------------------- authenticated ---------------------------->|
 */
const CLEAR_BYTES = 8;
const INDEX_BYTES = 4;
const ENCRYPTED_BIT = 0x8000_0000;
const INDEX_MASK = 0x7fff_ffff;

/** What protection adds to a packet. */
export const SRTCP_OVERHEAD_BYTES = INDEX_BYTES + SRTCP_TAG_BYTES;

export class SrtcpSender {
  readonly #cipher: SrtpCipher;
  #index: number;

  constructor(keying: SrtpKeying, firstIndex = 0) {
    this.#cipher = new SrtpCipher(deriveRtcpKeys(keying));
    this.#index = firstIndex;
  }

  /** The index of the next packet, which goes on when the key is replaced. */
  get nextIndex(): number {
    return this.#index;
  }

  /** Encrypts in place and appends index and tag, for which `bytes` has room. Returns the new length. */
  protect(bytes: Uint8Array, length: number): number {
    const index = this.#index;
    this.#index = (index + 1) & INDEX_MASK;
    this.#cipher.apply(bytes, CLEAR_BYTES, length, readUint32(bytes, 4), index);
    writeUint32(bytes, length, ENCRYPTED_BIT | index);
    const signed = length + INDEX_BYTES;
    const tag = this.#cipher.sign(bytes, signed);
    for (let at = 0; at < SRTCP_TAG_BYTES; at++) bytes[signed + at] = tag[at] as number;
    return signed + SRTCP_TAG_BYTES;
  }
}

export class SrtcpReceiver {
  readonly #cipher: SrtpCipher;
  #window = new ReplayWindow();
  #ssrc: number | null = null;
  readonly counts = { unauthentic: 0, replayed: 0 };

  constructor(keying: SrtpKeying) {
    this.#cipher = new SrtpCipher(deriveRtcpKeys(keying));
  }

  /** Decrypts in place and returns the length of the plain packet, or -1 when it must be dropped. */
  unprotect(bytes: Uint8Array, lengthWithTag: number): number {
    const signed = lengthWithTag - SRTCP_TAG_BYTES;
    const length = signed - INDEX_BYTES;
    if (length < CLEAR_BYTES || length > PROTECTED_BYTES_MAX) return -1;
    if (!tagMatches(this.#cipher.sign(bytes, signed), bytes, signed, SRTCP_TAG_BYTES)) {
      this.counts.unauthentic += 1;
      return -1;
    }
    const ssrc = readUint32(bytes, 4);
    const word = readUint32(bytes, length);
    const index = word & INDEX_MASK;
    if (ssrc !== this.#ssrc) {
      this.#ssrc = ssrc;
      this.#window = new ReplayWindow();
    }
    if (!this.#window.isNew(index)) {
      this.counts.replayed += 1;
      return -1;
    }
    this.#window.add(index);
    if (word >>> 31 === 1) this.#cipher.apply(bytes, CLEAR_BYTES, length, ssrc, index);
    return length;
  }
}
