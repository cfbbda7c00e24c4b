import { gainOf } from "./level.ts";
import {
  ENTRY_CLIP,
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
  packGain,
  STATE_OVER,
  STATE_PLAYING,
  STATE_WAITING,
} from "./playout-layout.ts";
import { readPosition } from "./shared-position.ts";

/** The state of a clip, or of one piece of a clip that was queued in pieces. */
export interface ClipReport {
  clipId: number;
  offset: number;
  samples: number;
  /** What was played, including the few milliseconds of a fade. Less than `samples` when it was cut off. */
  playedSamples: number;
  /** Where in the played stream it began and ended; null if nothing of it was played. */
  startPosition: number | null;
  endPosition: number | null;
}

/**
 * The producer's side of a playout queue. Nothing here waits for the player: queueing is refused immediately when there
 * is no room, and a clear takes effect on the next tick and is then reported.
 */
export class PlayoutQueue {
  readonly #memory: PlayoutMemory;
  #queued: number;
  /** Entries below this count were reported, and their words may be used again. */
  #reported: number;
  #refusals = 0;

  constructor(handle: PlayoutHandle) {
    this.#memory = openPlayout(handle);
    this.#queued = Atomics.load(this.#memory.words, PLAYOUT_QUEUED_WORD);
    this.#reported = this.#queued;
  }

  /** How far the player is, in samples of the played stream. */
  get position(): number {
    return readPosition(this.#memory.words, PLAYOUT_POSITION_WORD);
  }

  /** How often there was no room. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Entries that were queued and not yet reported. */
  get openEntries(): number {
    return (this.#queued - this.#reported) | 0;
  }

  /** Plays a piece of the store after everything queued. False when the queue is full. */
  enqueue(clipId: number, offset: number, samples: number): boolean {
    const { words, pcm, entries } = this.#memory;
    if (offset < 0 || samples <= 0 || offset + samples > pcm.length) {
      throw new RangeError(`${samples} samples at ${offset} are not in the store`);
    }
    if (this.openEntries >= entries) {
      this.#refusals += 1;
      return false;
    }
    const entry = entryWord(this.#memory, this.#queued);
    Atomics.store(words, entry + ENTRY_CLIP, clipId);
    Atomics.store(words, entry + ENTRY_OFFSET, offset);
    Atomics.store(words, entry + ENTRY_SAMPLES, samples);
    Atomics.store(words, entry + ENTRY_GENERATION, Atomics.load(words, PLAYOUT_GENERATION_WORD));
    Atomics.store(words, entry + ENTRY_STATE, STATE_WAITING);
    Atomics.store(words, entry + ENTRY_PLAYED, 0);
    this.#queued = (this.#queued + 1) | 0;
    Atomics.store(words, PLAYOUT_QUEUED_WORD, this.#queued);
    return true;
  }

  /** Drops everything queued and fades out what is playing, on the next tick. What is queued from now on is played. */
  clear(): void {
    Atomics.add(this.#memory.words, PLAYOUT_GENERATION_WORD, 1);
  }

  /** Lowers the voice, for example by -15 dB over 40 ms, until it is restored. */
  duck(changeDb: number, rampMs: number): void {
    Atomics.store(this.#memory.words, PLAYOUT_GAIN_WORD, packGain(gainOf(changeDb), rampMs));
  }

  restore(rampMs: number): void {
    Atomics.store(this.#memory.words, PLAYOUT_GAIN_WORD, packGain(1, rampMs));
  }

  /** Returns what is over, oldest first and once each. This makes room for new entries. */
  takeReports(visit: (report: ClipReport) => void): number {
    let taken = 0;
    while (this.openEntries > 0 && this.#stateOf(this.#reported) === STATE_OVER) {
      const report = this.#reportOn(this.#reported);
      this.#reported = (this.#reported + 1) | 0;
      taken += 1;
      visit(report);
    }
    return taken;
  }

  /** What is playing at this moment and how much of it was played, or null between clips. */
  nowPlaying(): ClipReport | null {
    for (let count = this.#reported; count !== this.#queued; count = (count + 1) | 0) {
      const state = this.#stateOf(count);
      if (state === STATE_PLAYING) return this.#reportOn(count);
      if (state === STATE_WAITING) return null;
    }
    return null;
  }

  /** What is still to be played. An upper bound: a clear that the player has not seen yet counts in full. */
  waitingSamples(): number {
    const { words } = this.#memory;
    let sum = 0;
    for (let count = this.#reported; count !== this.#queued; count = (count + 1) | 0) {
      if (this.#stateOf(count) === STATE_OVER) continue;
      const entry = entryWord(this.#memory, count);
      sum += Atomics.load(words, entry + ENTRY_SAMPLES) - Atomics.load(words, entry + ENTRY_PLAYED);
    }
    return sum;
  }

  #stateOf(count: number): number {
    return Atomics.load(this.#memory.words, entryWord(this.#memory, count) + ENTRY_STATE);
  }

  #reportOn(count: number): ClipReport {
    const { words } = this.#memory;
    const entry = entryWord(this.#memory, count);
    const playedSamples = Atomics.load(words, entry + ENTRY_PLAYED);
    // A clip plays without a gap, so its end follows from its start.
    const startPosition = playedSamples === 0 ? null : readPosition(words, entry + ENTRY_START);
    return {
      clipId: Atomics.load(words, entry + ENTRY_CLIP),
      offset: Atomics.load(words, entry + ENTRY_OFFSET),
      samples: Atomics.load(words, entry + ENTRY_SAMPLES),
      playedSamples,
      startPosition,
      endPosition: startPosition === null ? null : startPosition + playedSamples,
    };
  }
}
