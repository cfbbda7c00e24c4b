import { samplesIn, TELEPHONE_RATE_HZ } from "./frame.ts";
import { fade, GainRamp } from "./gain.ts";
import {
  ENTRY_GENERATION,
  ENTRY_OFFSET,
  ENTRY_PLAYED,
  ENTRY_SAMPLES,
  ENTRY_START,
  ENTRY_STATE,
  entryWord,
  openPlayout,
  PLAYOUT_GAIN_WORD,
  PLAYOUT_GENERATION_WORD,
  PLAYOUT_POSITION_WORD,
  PLAYOUT_QUEUED_WORD,
  type PlayoutHandle,
  type PlayoutMemory,
  STATE_OVER,
  STATE_PLAYING,
  unpackGain,
  unpackRampMs,
} from "./playout-layout.ts";
import { publishPosition } from "./shared-position.ts";

/** Long enough not to click, short enough to stop a voice promptly. */
const CUT_FADE_MS = 5;

/**
 * The player's side of a playout queue, in the media tick. Every pull fills one frame, reads the generation and the
 * gain, and publishes what was played. It allocates nothing.
 */
export class PlayoutPlayer {
  readonly #memory: PlayoutMemory;
  readonly #sampleRateHz: number;
  readonly #ramp: GainRamp;
  #generation: number;
  #gainWord: number;
  /** The entry that is playing or next. */
  #head: number;
  #playedSamples = 0;
  /** The producer's part of the entry that is playing. It no longer changes, and is read once. */
  #clipSamples = 0;
  #clipOffset = 0;

  constructor(handle: PlayoutHandle, sampleRateHz: number = TELEPHONE_RATE_HZ) {
    this.#memory = openPlayout(handle);
    this.#sampleRateHz = sampleRateHz;
    const { words } = this.#memory;
    this.#generation = Atomics.load(words, PLAYOUT_GENERATION_WORD);
    this.#gainWord = Atomics.load(words, PLAYOUT_GAIN_WORD);
    this.#ramp = new GainRamp(unpackGain(this.#gainWord));
    this.#head = 0;
  }

  /** Fills the frame that is sent at `position` of the played stream, and returns how many samples are not silence. */
  pull(frame: Int16Array, position: number): number {
    const { words } = this.#memory;
    const generation = Atomics.load(words, PLAYOUT_GENERATION_WORD);
    let filled = 0;
    if (generation !== this.#generation) {
      filled = this.#cutOff(frame);
      this.#generation = generation;
    }
    filled = this.#play(frame, filled, position);
    if (filled < frame.length) frame.fill(0, filled);
    this.#followGain();
    this.#ramp.apply(frame);
    publishPosition(words, PLAYOUT_POSITION_WORD, position + frame.length);
    return filled;
  }

  /** Ends the clip that is playing, if any, with a short fade. */
  #cutOff(frame: Int16Array): number {
    if (this.#playedSamples === 0) return 0;
    const entry = entryWord(this.#memory, this.#head);
    const count = Math.min(
      this.#clipSamples - this.#playedSamples,
      samplesIn(CUT_FADE_MS, this.#sampleRateHz),
      frame.length,
    );
    this.#copy(entry, frame, 0, count);
    fade(frame, 1, 0, 0, count);
    this.#finish(entry);
    return count;
  }

  #play(frame: Int16Array, start: number, position: number): number {
    const { words } = this.#memory;
    const queued = Atomics.load(words, PLAYOUT_QUEUED_WORD);
    let at = start;
    while (at < frame.length && this.#head !== queued) {
      const entry = entryWord(this.#memory, this.#head);
      if (this.#playedSamples === 0) {
        const age = (this.#generation - Atomics.load(words, entry + ENTRY_GENERATION)) | 0;
        // Newer than this tick knows: a clear came in between, and the next tick will see it.
        if (age < 0) break;
        if (age > 0) {
          this.#finish(entry);
          continue;
        }
        this.#begin(entry, position + at);
      }
      const count = Math.min(this.#clipSamples - this.#playedSamples, frame.length - at);
      this.#copy(entry, frame, at, count);
      at += count;
      if (this.#playedSamples === this.#clipSamples) this.#finish(entry);
    }
    return at;
  }

  #begin(entry: number, position: number): void {
    const { words } = this.#memory;
    this.#clipSamples = Atomics.load(words, entry + ENTRY_SAMPLES);
    this.#clipOffset = Atomics.load(words, entry + ENTRY_OFFSET);
    publishPosition(words, entry + ENTRY_START, position);
    Atomics.store(words, entry + ENTRY_STATE, STATE_PLAYING);
  }

  #copy(entry: number, frame: Int16Array, at: number, count: number): void {
    const { words, pcm } = this.#memory;
    const from = this.#clipOffset + this.#playedSamples;
    frame.set(pcm.subarray(from, from + count), at);
    this.#playedSamples += count;
    Atomics.store(words, entry + ENTRY_PLAYED, this.#playedSamples);
  }

  #finish(entry: number): void {
    Atomics.store(this.#memory.words, entry + ENTRY_STATE, STATE_OVER);
    this.#playedSamples = 0;
    this.#head = (this.#head + 1) | 0;
  }

  #followGain(): void {
    const word = Atomics.load(this.#memory.words, PLAYOUT_GAIN_WORD);
    if (word === this.#gainWord) return;
    this.#gainWord = word;
    this.#ramp.moveTo(unpackGain(word), samplesIn(unpackRampMs(word), this.#sampleRateHz));
  }
}
