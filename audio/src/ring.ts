import { TELEPHONE_RATE_HZ } from "./frame.ts";
import {
  createRingBuffer,
  openRingBuffer,
  RING_CLOSED_WORD,
  RING_POSITION_WORD,
  type RingLayout,
} from "./ring-layout.ts";
import { publishPosition, readPosition } from "./shared-position.ts";

const DEFAULT_SECONDS = 4;

/** Creates the shared memory of a ring. It is the handle that writers and readers attach to, in any thread. */
export function createRing(
  capacitySamples: number = DEFAULT_SECONDS * TELEPHONE_RATE_HZ,
  sampleRateHz: number = TELEPHONE_RATE_HZ,
): SharedArrayBuffer {
  return createRingBuffer(capacitySamples, sampleRateHz);
}

/**
 * The one writer of a ring: the media tick. It never waits for a reader; a reader that is too slow detects it itself.
 *
 * Memory ordering makes reads safe. The position is loaded before the samples are stored, so that they cannot become
 * visible before the last position did, and it is stored after them.
 */
export class RingWriter {
  readonly #ring: RingLayout;

  constructor(handle: SharedArrayBuffer) {
    this.#ring = openRingBuffer(handle);
  }

  /** The total number of samples written. */
  get position(): number {
    return readPosition(this.#ring.words, RING_POSITION_WORD);
  }

  write(samples: Int16Array): void {
    const { writeMaxSamples } = this.#ring;
    for (let start = 0; start < samples.length; start += writeMaxSamples) {
      this.#writePiece(samples, start, Math.min(writeMaxSamples, samples.length - start));
    }
  }

  /** Advances in silence: hold, lost packets, a far end that stopped sending. */
  writeSilence(count: number): void {
    const { writeMaxSamples } = this.#ring;
    for (let start = 0; start < count; start += writeMaxSamples) {
      this.#writePiece(null, 0, Math.min(writeMaxSamples, count - start));
    }
  }

  /** Signals readers that nothing more will come. */
  close(): void {
    Atomics.store(this.#ring.words, RING_CLOSED_WORD, 1);
  }

  #writePiece(samples: Int16Array | null, start: number, count: number): void {
    const { words, samples: ring, capacitySamples } = this.#ring;
    const position = readPosition(words, RING_POSITION_WORD);
    const at = position % capacitySamples;
    const untilWrap = Math.min(count, capacitySamples - at);
    if (samples === null) {
      ring.fill(0, at, at + untilWrap);
      ring.fill(0, 0, count - untilWrap);
    } else if (untilWrap === samples.length) {
      ring.set(samples, at);
    } else {
      ring.set(samples.subarray(start, start + untilWrap), at);
      ring.set(samples.subarray(start + untilWrap, start + count));
    }
    publishPosition(words, RING_POSITION_WORD, position + count);
  }
}
