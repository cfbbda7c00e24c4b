import { openRingBuffer, RING_CLOSED_WORD, RING_POSITION_WORD, type RingLayout } from "./ring-layout.ts";
import { readPosition } from "./shared-position.ts";

/**
 * One reader of a ring, in any thread, at its own pace. It copies samples out and then checks whether the writer
 * overtook it; if so the copy is discarded, the reader jumps forward, and the loss is counted.
 */
export class RingReader {
  readonly #ring: RingLayout;
  /** A private word. Storing to it keeps the loads of samples before the second load of the position. */
  readonly #fence = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #position: number;
  #overruns = 0;
  #lostSamples = 0;

  /** Starts with what is written next, or at a position that may already be past. */
  constructor(handle: SharedArrayBuffer, fromPosition?: number) {
    this.#ring = openRingBuffer(handle);
    this.#position = fromPosition ?? this.writtenPosition;
  }

  get sampleRateHz(): number {
    return this.#ring.sampleRateHz;
  }

  /** The position of the next sample to be read. After a read of n samples they began at `position - n`. */
  get position(): number {
    return this.#position;
  }

  get writtenPosition(): number {
    return readPosition(this.#ring.words, RING_POSITION_WORD);
  }

  /** How often the writer overtook this reader. */
  get overruns(): number {
    return this.#overruns;
  }

  get lostSamples(): number {
    return this.#lostSamples;
  }

  get availableSamples(): number {
    return Math.max(0, this.writtenPosition - this.#position);
  }

  /** True when the writer is done and everything was read. */
  get isEnded(): boolean {
    return Atomics.load(this.#ring.words, RING_CLOSED_WORD) === 1 && this.availableSamples === 0;
  }

  /** Reads the next samples if they fill `out`, otherwise nothing. */
  readFrame(out: Int16Array): boolean {
    return this.availableSamples >= out.length && this.read(out) === out.length;
  }

  /** Reads as many samples as are available, at most all of `out`, and returns how many. */
  read(out: Int16Array): number {
    if (this.#position < this.#oldestPosition()) this.#jumpForward();
    const count = Math.min(this.availableSamples, out.length);
    if (count === 0) return 0;
    if (!this.peek(this.#position, count, out)) {
      this.#jumpForward();
      return 0;
    }
    this.#position += count;
    return count;
  }

  /**
   * Copies `count` samples from a position without moving there. False when they are not (or no longer) in the ring;
   * the content of `out` is then undefined.
   */
  peek(position: number, count: number, out: Int16Array): boolean {
    const { samples, capacitySamples } = this.#ring;
    if (position < this.#oldestPosition() || position + count > this.writtenPosition) return false;
    let at = position % capacitySamples;
    for (let index = 0; index < count; index++) {
      out[index] = samples[at] as number;
      at += 1;
      if (at === capacitySamples) at = 0;
    }
    Atomics.store(this.#fence, 0, 0);
    return position >= this.#oldestPosition();
  }

  /** Continues from another position, forwards or back. */
  seek(position: number): void {
    this.#position = position;
  }

  /** The writer may already be storing the piece after the position it published. */
  #oldestPosition(): number {
    const { capacitySamples, writeMaxSamples } = this.#ring;
    return Math.max(0, this.writtenPosition + writeMaxSamples - capacitySamples);
  }

  /** A quarter of the ring beyond the oldest sample, so that the writer does not catch up again immediately. */
  #jumpForward(): void {
    const target = Math.min(this.writtenPosition, this.#oldestPosition() + Math.floor(this.#ring.capacitySamples / 4));
    this.#overruns += 1;
    this.#lostSamples += target - this.#position;
    this.#position = target;
  }
}
