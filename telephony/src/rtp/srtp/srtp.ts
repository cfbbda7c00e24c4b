import { readUint16, readUint32, rtpHeaderBytes } from "../packet.ts";
import { PROTECTED_BYTES_MAX } from "./key-stream.ts";
import { ReplayWindow } from "./replay-window.ts";
import { SrtpCipher, tagMatches, writeRollover } from "./srtp-cipher.ts";
import { deriveRtpKeys, rtpTagBytes, type SrtpKeying } from "./srtp-keys.ts";

/**
 * RFC 3711 section 3.1. What is added to an RTP packet is a tag at its end; the header stays readable:
 *
 *     +-----------------+--------------------------------+------------------------+
 *     |   RTP header    |  payload (and padding)         |  authentication tag    |
 *     +-----------------+--------------------------------+------------------------+
 *                       |<------- encrypted ------------>|
 *     |<---------------- authenticated, then the ROC --->|
 */
export interface SrtpSendState {
  rollover: number;
  lastSequence: number;
}

const SEQUENCE_SPAN = 0x1_0000;
const HALF_SPAN = 0x8000;
/** A source the far end may return to, after a conference or a transfer. */
const SOURCES_MAX = 8;
/** A call is fifty packets a second, all of one length: 160 ms at a time cost little memory and little work. */
const PACKETS_AHEAD = 8;

/** Protects what one source sends. A new negotiation with the same key continues with the same object. */
export class SrtpSender {
  readonly #cipher: SrtpCipher;
  readonly #tagBytes: number;
  readonly #trailer = new Uint8Array(4);
  #rollover: number;
  #lastSequence: number;

  /** A new key does not reset the roll-over counter (section 3.3.1), so the state of the previous object is kept. */
  constructor(keying: SrtpKeying, { rollover, lastSequence }: SrtpSendState = { rollover: 0, lastSequence: -1 }) {
    this.#cipher = new SrtpCipher(deriveRtpKeys(keying), PACKETS_AHEAD);
    this.#tagBytes = rtpTagBytes(keying.suite);
    this.#rollover = rollover;
    this.#lastSequence = lastSequence;
  }

  get state(): SrtpSendState {
    return { rollover: this.#rollover, lastSequence: this.#lastSequence };
  }

  /** Encrypts in place and appends the tag, for which `bytes` has room. Packets come in the order of their sequence. */
  protect(bytes: Uint8Array, length: number): number {
    const headerBytes = rtpHeaderBytes(bytes, length);
    if (headerBytes < 0) throw new RangeError("only RTP packets can be protected");
    const sequence = readUint16(bytes, 2);
    if (sequence < this.#lastSequence) this.#rollover += 1;
    this.#lastSequence = sequence;
    this.#cipher.apply(bytes, headerBytes, length, readUint32(bytes, 8), this.#rollover * SEQUENCE_SPAN + sequence);
    const tag = this.#cipher.sign(bytes, length, writeRollover(this.#trailer, this.#rollover));
    for (let at = 0; at < this.#tagBytes; at++) bytes[length + at] = tag[at] as number;
    return length + this.#tagBytes;
  }
}

interface SourceState {
  rollover: number;
  highest: number;
  window: ReplayWindow;
}

export interface SrtpReceiveCounts {
  /** Wrong tag: forged, damaged, or encrypted with another key. */
  unauthentic: number;
  replayed: number;
}

/** Checks and decrypts what arrives. Nothing about a source is trusted before its first genuine packet. */
export class SrtpReceiver {
  readonly #cipher: SrtpCipher;
  readonly #tagBytes: number;
  readonly #trailer = new Uint8Array(4);
  readonly #sources: Map<number, SourceState>;
  readonly counts: SrtpReceiveCounts;

  /** `before` is the receiver whose key is replaced: its counts and the roll-over counters of its sources continue. */
  constructor(keying: SrtpKeying, before?: SrtpReceiver) {
    this.counts = before?.counts ?? { unauthentic: 0, replayed: 0 };
    this.#cipher = new SrtpCipher(deriveRtpKeys(keying), PACKETS_AHEAD);
    this.#tagBytes = rtpTagBytes(keying.suite);
    this.#sources = new Map(
      Array.from(before?.rollovers() ?? [], ([ssrc, { rollover, highest }]) => [
        ssrc,
        { rollover, highest, window: new ReplayWindow() },
      ]),
    );
  }

  /** What another receiver needs in order to continue. */
  rollovers(): ReadonlyMap<number, { rollover: number; highest: number }> {
    return this.#sources;
  }

  /** Decrypts in place and returns the length without the tag, or -1 when the packet must be dropped. */
  unprotect(bytes: Uint8Array, lengthWithTag: number): number {
    const length = lengthWithTag - this.#tagBytes;
    const headerBytes = rtpHeaderBytes(bytes, length);
    if (headerBytes < 0 || length > PROTECTED_BYTES_MAX) return -1;
    const sequence = readUint16(bytes, 2);
    const ssrc = readUint32(bytes, 8);
    const source = this.#sources.get(ssrc);
    const rollover = source ? guessRollover(source, sequence) : 0;
    const index = rollover * SEQUENCE_SPAN + sequence;
    if (rollover < 0 || (source && !source.window.isNew(index))) {
      this.counts.replayed += 1;
      return -1;
    }
    const tag = this.#cipher.sign(bytes, length, writeRollover(this.#trailer, rollover));
    if (!tagMatches(tag, bytes, length, this.#tagBytes)) {
      this.counts.unauthentic += 1;
      return -1;
    }
    this.#cipher.apply(bytes, headerBytes, length, ssrc, index);
    this.#note(source ?? this.#addSource(ssrc, sequence), rollover, sequence, index);
    return length;
  }

  #addSource(ssrc: number, sequence: number): SourceState {
    if (this.#sources.size >= SOURCES_MAX) {
      const oldest = this.#sources.keys().next();
      if (!oldest.done) this.#sources.delete(oldest.value);
    }
    const source = { rollover: 0, highest: sequence, window: new ReplayWindow() };
    this.#sources.set(ssrc, source);
    return source;
  }

  /** Section 3.3.1: only a genuine packet moves the counters, and only forwards. */
  #note(source: SourceState, rollover: number, sequence: number, index: number): void {
    source.window.add(index);
    if (rollover > source.rollover) {
      source.rollover = rollover;
      source.highest = sequence;
    } else if (rollover === source.rollover && sequence > source.highest) source.highest = sequence;
  }
}

/** Appendix A: the counter that puts the packet nearest to the highest one so far. */
function guessRollover({ rollover, highest }: SourceState, sequence: number): number {
  if (highest < HALF_SPAN) return sequence - highest > HALF_SPAN ? rollover - 1 : rollover;
  return highest - HALF_SPAN > sequence ? rollover + 1 : rollover;
}
