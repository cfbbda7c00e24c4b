import { TELEPHONE_RATE_HZ } from "./frame.ts";
import { POSITION_WORDS } from "./shared-position.ts";

/**
 * The layout of a playout queue in shared memory. The producer writes what is to be played, the player (the media tick)
 * writes what was played, and each word has one writer:
 *
 *     words 0-1   how far the player is (player)
 *     word  2     generation: what was queued under an older one is not played any more (producer)
 *     word  3     loudness to go to, and how fast (producer)
 *     word  4     entries ever queued (producer)
 *     word  5     capacity in entries
 *     word  6     a mark that this is a playout queue
 *     word 16...  entries of eight words, entry n at n mod capacity
 */
export const PLAYOUT_POSITION_WORD = 0;
export const PLAYOUT_GENERATION_WORD = POSITION_WORDS;
export const PLAYOUT_GAIN_WORD = 3;
export const PLAYOUT_QUEUED_WORD = 4;
const CAPACITY_WORD = 5;
const MARK_WORD = 6;
const PLAYOUT_MARK = 0x50_4c_41_59;
const FIRST_ENTRY_WORD = 16;
const ENTRY_WORDS = 8;

/** The words of an entry. The first four are the producer's, the others the player's. */
export const ENTRY_CLIP = 0;
export const ENTRY_OFFSET = 1;
export const ENTRY_SAMPLES = 2;
export const ENTRY_GENERATION = 3;
export const ENTRY_STATE = 4;
export const ENTRY_PLAYED = 5;
export const ENTRY_START = 6;

/** An entry is waiting, playing and over, in this order and never back. */
export const STATE_WAITING = 0;
export const STATE_PLAYING = 1;
export const STATE_OVER = 2;

const DEFAULT_ENTRIES = 256;
const DEFAULT_STORE_SECONDS = 30;

/** Everything another thread needs to attach. It can be posted unchanged. */
export interface PlayoutHandle {
  control: SharedArrayBuffer;
  /** The audio of the clips; see ClipStore. */
  pcm: SharedArrayBuffer;
}

export interface PlayoutSize {
  /** A power of two. */
  entries?: number;
  storeSamples?: number;
}

export function createPlayout({
  entries = DEFAULT_ENTRIES,
  storeSamples = DEFAULT_STORE_SECONDS * TELEPHONE_RATE_HZ,
}: PlayoutSize = {}): PlayoutHandle {
  if (entries < 2 || (entries & (entries - 1)) !== 0) throw new RangeError(`${entries} is not a power of two`);
  const control = new SharedArrayBuffer((FIRST_ENTRY_WORD + entries * ENTRY_WORDS) * Int32Array.BYTES_PER_ELEMENT);
  const words = new Int32Array(control);
  words[CAPACITY_WORD] = entries;
  words[MARK_WORD] = PLAYOUT_MARK;
  words[PLAYOUT_GAIN_WORD] = packGain(1, 0);
  return { control, pcm: new SharedArrayBuffer(storeSamples * Int16Array.BYTES_PER_ELEMENT) };
}

export interface PlayoutMemory {
  words: Int32Array;
  pcm: Int16Array;
  entries: number;
}

export function openPlayout({ control, pcm }: PlayoutHandle): PlayoutMemory {
  const words = new Int32Array(control);
  if (words[MARK_WORD] !== PLAYOUT_MARK) throw new TypeError("the shared memory is not a playout queue");
  return { words, pcm: new Int16Array(pcm), entries: words[CAPACITY_WORD] as number };
}

/** Where the words of the n-th entry begin. Counts may wrap around at 32 bits, as the capacity divides that. */
export function entryWord(memory: PlayoutMemory, count: number): number {
  return FIRST_ENTRY_WORD + (count & (memory.entries - 1)) * ENTRY_WORDS;
}

const GAIN_BITS = 17;
const GAIN_ONE = 2 ** 16;
const RAMP_MAX_MS = 2 ** (32 - GAIN_BITS) - 1;

/** Gain and speed in one word, so that no tick can see one without the other. */
export function packGain(gain: number, rampMs: number): number {
  const share = Math.round(Math.min(1, Math.max(0, gain)) * GAIN_ONE);
  return (Math.round(Math.min(RAMP_MAX_MS, Math.max(0, rampMs))) << GAIN_BITS) | share;
}

export function unpackGain(word: number): number {
  return (word & (2 ** GAIN_BITS - 1)) / GAIN_ONE;
}

export function unpackRampMs(word: number): number {
  return word >>> GAIN_BITS;
}
