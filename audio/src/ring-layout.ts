import { POSITION_WORDS } from "./shared-position.ts";

/**
 * The layout of a ring in shared memory. The buffer itself is the handle: post it to another thread and attach there.
 *
 *     words 0-1   how many samples were ever written (shared-position)
 *     word  2     1 when the writer is done
 *     word  3     capacity in samples
 *     word  4     sample rate in Hz
 *     word  5     a mark that this is a ring
 *     byte 64...  the samples, sample p at p mod capacity
 */
export const RING_POSITION_WORD = 0;
export const RING_CLOSED_WORD = POSITION_WORDS;
const CAPACITY_WORD = 3;
const RATE_WORD = 4;
const MARK_WORD = 5;
const RING_MARK = 0x52_49_4e_47;

/** A cache line, so that the writer's stores of the position do not slow down readers of the first samples. */
const HEADER_BYTES = 64;
/**
 * The largest piece the writer stores before it publishes: 40 ms, the longest packet we negotiate, as a fraction of a
 * second.
 */
const WRITES_PER_SECOND_MIN = 25;

export interface RingLayout {
  words: Int32Array;
  samples: Int16Array;
  capacitySamples: number;
  sampleRateHz: number;
  /** The writer may be this far beyond the position it has published. */
  writeMaxSamples: number;
}

export function createRingBuffer(capacitySamples: number, sampleRateHz: number): SharedArrayBuffer {
  if (!Number.isInteger(capacitySamples) || capacitySamples < (4 * sampleRateHz) / WRITES_PER_SECOND_MIN) {
    throw new RangeError(`a ring of ${capacitySamples} samples at ${sampleRateHz} Hz is too short`);
  }
  const buffer = new SharedArrayBuffer(HEADER_BYTES + capacitySamples * Int16Array.BYTES_PER_ELEMENT);
  const words = new Int32Array(buffer, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
  words[CAPACITY_WORD] = capacitySamples;
  words[RATE_WORD] = sampleRateHz;
  words[MARK_WORD] = RING_MARK;
  return buffer;
}

export function openRingBuffer(buffer: SharedArrayBuffer): RingLayout {
  const words = new Int32Array(buffer, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
  if (words[MARK_WORD] !== RING_MARK) throw new TypeError("the shared memory is not a ring");
  const capacitySamples = words[CAPACITY_WORD] as number;
  const sampleRateHz = words[RATE_WORD] as number;
  return {
    words,
    samples: new Int16Array(buffer, HEADER_BYTES, capacitySamples),
    capacitySamples,
    sampleRateHz,
    writeMaxSamples: Math.ceil(sampleRateHz / WRITES_PER_SECOND_MIN),
  };
}
