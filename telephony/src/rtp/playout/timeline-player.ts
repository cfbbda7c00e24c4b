import { samplesIn } from "@parley/audio/frame";
import type { AnnouncedSilence } from "./announced-silence.ts";
import { LossConcealer } from "./conceal-loss.ts";
import { SampleTimeline } from "./sample-timeline.ts";

/** Samples up to this (about -42 dBFS) are a pause, in which 10 ms more or less are not heard. */
const PAUSE_PEAK = 260;
const BLEND_SAMPLES = samplesIn(5);

/**
 * Turns a timeline into frames, from a position that moves on with each. What is missing is concealed, or silent where
 * silence was announced. How fast to move is decided by the jitter buffer.
 */
export class TimelinePlayer {
  readonly timeline = new SampleTimeline();
  readonly #silence: AnnouncedSilence;
  readonly #concealer = new LossConcealer();
  position = 0;
  skippedSamples = 0;
  insertedSamples = 0;

  constructor(silence: AnnouncedSilence) {
    this.#silence = silence;
  }

  get concealedSamples(): number {
    return this.#concealer.concealedSamples;
  }

  get isPresent(): boolean {
    return this.timeline.isPresent(this.position);
  }

  /** Whether the next samples are complete and so quiet that dropping some is inaudible. */
  isPause(count: number): boolean {
    return this.timeline.isQuiet(this.position, count, PAUSE_PEAK);
  }

  /** How many samples from here on are missing, when the first is. */
  gapLength(countMax: number): number {
    return this.timeline.runLength(this.position, countMax);
  }

  /** There is no stream. */
  playNothing(frame: Int16Array): void {
    this.#concealer.silence(frame, 0, frame.length);
  }

  /** Overwrites the frame, and advances by its length minus what is to be repeated. */
  play(frame: Int16Array, repeatedSamples = 0): void {
    this.#fill(frame);
    this.insertedSamples += repeatedSamples;
    this.#moveOn(frame.length - repeatedSamples);
  }

  /** Skips a frame of steady audio and blends the edges. */
  playShortened(frame: Int16Array): void {
    const { length } = frame;
    const from = this.position;
    const isWhole = this.isPresent && this.timeline.runLength(from, 2 * length) === 2 * length;
    if (isWhole) this.skip(length);
    this.play(frame);
    if (!isWhole) return;
    // The skipped samples are forgotten but not yet overwritten.
    for (let index = 0; index < BLEND_SAMPLES; index++) {
      const share = (index + 1) / (BLEND_SAMPLES + 1);
      frame[index] = (frame[index] as number) * share + this.timeline.sampleAt(from + index) * (1 - share);
    }
  }

  /** All received audio was played: the position waits for packets in transit, or continues in silence. */
  playMissing(frame: Int16Array, mayWait: boolean): void {
    const isQuiet = this.#fillMissing(frame, 0, frame.length, this.position);
    if (isQuiet || !mayWait) this.#moveOn(frame.length);
  }

  skip(count: number): void {
    this.skippedSamples += count;
    this.#moveOn(count);
  }

  #fill(frame: Int16Array): void {
    for (let at = 0; at < frame.length; ) {
      const time = this.position + at;
      const count = this.timeline.runLength(time, frame.length - at);
      if (this.timeline.isPresent(time)) {
        this.timeline.copy(time, frame, at, count);
        this.#concealer.accept(frame, at, at + count);
      } else this.#fillMissing(frame, at, at + count, time);
      at += count;
    }
  }

  #fillMissing(frame: Int16Array, start: number, end: number, time: number): boolean {
    const isQuiet = this.#silence.covers(time);
    if (isQuiet) this.#concealer.silence(frame, start, end);
    else this.#concealer.conceal(frame, start, end);
    return isQuiet;
  }

  #moveOn(count: number): void {
    this.position += count;
    this.timeline.forgetBefore(this.position);
  }
}
