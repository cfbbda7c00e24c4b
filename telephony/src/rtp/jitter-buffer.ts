import { FRAME_SAMPLES, samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { LossConcealer } from "./conceal-loss.ts";
import { DELAY_MAX_SAMPLES, PlayoutDelay } from "./playout-delay.ts";
import { SampleTimeline } from "./sample-timeline.ts";
import { JUMP_SAMPLES, SenderClock } from "./sender-clock.ts";

/** So many late packets in a row mean that the way has become longer, not that each of them was unlucky. */
const LATE_PACKETS_MAX = 5;
/** Samples up to this (about -42 dBFS) are a pause, in which 10 ms more or less are not heard. */
const PAUSE_PEAK = 260;
const CORRECTION_SAMPLES = samplesIn(10);
/** Beyond this much too late a steady sound (hold music) is shortened as well. */
const FORCED_CORRECTION_SAMPLES = samplesIn(60);
const BLEND_SAMPLES = samplesIn(5);

export interface JitterBufferCounts {
  latePackets: number;
  duplicatePackets: number;
  /** The sender's clock jumped, its source changed, or the way became longer: the buffer began again. */
  restarts: number;
  /** Left out, and repeated, to follow the network and the sender's clock. */
  skippedSamples: number;
  insertedSamples: number;
}

/**
 * Turns packets that come when they like into one frame per tick. Sound is kept by the sender's timestamps, so
 * reordering, duplicates and any packet length need no care; the position moves by a frame per tick, and by a little
 * more or less where nobody hears it: in gaps, in pauses, and while there is nothing to play.
 */
export class JitterBuffer {
  readonly #timeline = new SampleTimeline();
  readonly #delay = new PlayoutDelay();
  readonly #concealer = new LossConcealer();
  readonly #clock = new SenderClock();
  readonly #counts: JitterBufferCounts = {
    latePackets: 0,
    duplicatePackets: 0,
    restarts: 0,
    skippedSamples: 0,
    insertedSamples: 0,
  };
  #hasStream = false;
  #isPositioned = false;
  #position = 0;
  #newestEnd = 0;
  #lateInARow = 0;
  /** The sender said that it sends nothing from here to there (comfort noise, telephone events). */
  #quietStart = 0;
  #quietEnd = 0;
  #delaySum = 0;
  #delayTicks = 0;

  get counts(): Readonly<JitterBufferCounts> {
    return this.#counts;
  }

  get concealedSamples(): number {
    return this.#concealer.concealedSamples;
  }

  get targetDelayMs(): number {
    return (this.#delay.targetSamples * 1000) / TELEPHONE_RATE_HZ;
  }

  /** How long sound waited here, on average, beyond the quickest packet. */
  get meanDelayMs(): number {
    return this.#delayTicks === 0 ? 0 : (this.#delaySum / this.#delayTicks / TELEPHONE_RATE_HZ) * 1000;
  }

  /** Takes the sound of one packet; the samples are copied. */
  push(timestamp: number, samples: Int16Array, count: number, arrivalMs: number): void {
    const arrival = Math.round((arrivalMs * TELEPHONE_RATE_HZ) / 1000);
    let time = this.#clock.timeOf(timestamp);
    if (!this.#hasStream) this.#begin(time, arrival);
    else if (Math.abs(arrival - time - this.#delay.baseline) > JUMP_SAMPLES) {
      if (!this.#clock.confirmsJump(arrival - time)) return;
      this.restart();
      time = this.#clock.timeOf(timestamp);
      this.#begin(time, arrival);
    }
    this.#clock.follow(timestamp, time);
    this.#delay.observe(arrival - time, arrival);
    if (time >= this.#quietStart && time < this.#quietEnd) this.#quietEnd = time;
    this.#store(time, samples, count, arrival);
  }

  /** The sender is silent on purpose from this timestamp until its next sound. */
  pushQuiet(timestamp: number): void {
    if (!this.#hasStream) return;
    const time = this.#clock.timeOf(timestamp);
    // Sound that came after it has ended that silence already, and repeats of the same event change nothing.
    if (time < this.#newestEnd || this.#quietEnd === Number.POSITIVE_INFINITY) return;
    this.#quietStart = time;
    this.#quietEnd = Number.POSITIVE_INFINITY;
  }

  /** Forgets the stream, because its source changed. The jitter of the network stays known. */
  restart(): void {
    if (this.#hasStream) this.#clear();
    this.#clock.forget();
  }

  /** Overwrites the frame with the sound of this tick. */
  pull(frame: Int16Array, nowMs: number): void {
    if (!this.#hasStream) {
      this.#concealer.silence(frame, 0, frame.length);
      return;
    }
    const now = Math.round((nowMs * TELEPHONE_RATE_HZ) / 1000) - this.#delay.baseline;
    const ideal = now - this.#delay.targetSamples;
    if (!this.#isPositioned) {
      this.#position = ideal;
      this.#isPositioned = true;
    }
    if (this.#position >= this.#newestEnd) {
      this.#waitForMore(frame, now);
      return;
    }
    this.#delaySum += now - this.#position;
    this.#delayTicks += 1;
    const behind = ideal - this.#position;
    if (behind > 0) this.#catchUp(frame, behind);
    else this.#play(frame);
    const repeats =
      behind < -CORRECTION_SAMPLES && this.#timeline.isQuiet(this.#position, frame.length, PAUSE_PEAK)
        ? CORRECTION_SAMPLES
        : 0;
    this.#counts.insertedSamples += repeats;
    this.#moveOn(frame.length - repeats);
  }

  #clear(): void {
    this.#timeline.forget(0, SampleTimeline.capacitySamples);
    this.#hasStream = false;
    this.#isPositioned = false;
    this.#counts.restarts += 1;
  }

  #begin(time: number, arrival: number): void {
    this.#hasStream = true;
    this.#delay.restart(arrival - time, arrival);
    this.#newestEnd = time;
    this.#lateInARow = 0;
    // What lies before the first packet was never sent, hence it is not lost.
    this.#quietStart = Number.NEGATIVE_INFINITY;
    this.#quietEnd = time;
  }

  #store(time: number, samples: Int16Array, count: number, arrival: number): void {
    const late = this.#isPositioned ? Math.max(0, this.#position - time) : 0;
    if (late >= count) {
      this.#counts.latePackets += 1;
      this.#lateInARow += 1;
      if (this.#lateInARow < LATE_PACKETS_MAX) return;
      this.#clear();
      this.#begin(time, arrival);
      this.#store(time, samples, count, arrival);
      return;
    }
    this.#lateInARow = 0;
    if (this.#isPositioned && time + count - this.#position > SampleTimeline.capacitySamples) return;
    if (this.#timeline.isPresent(time + late)) {
      this.#counts.duplicatePackets += 1;
      return;
    }
    this.#timeline.write(time + late, samples, late, count - late);
    this.#newestEnd = Math.max(this.#newestEnd, time + count);
  }

  /** Nothing to play. The position waits for what may be on its way, as long as the delay allows, then goes on. */
  #waitForMore(frame: Int16Array, now: number): void {
    const isQuiet = this.#fillMissing(frame, 0, frame.length, this.#position);
    const mayWait = now - this.#position + FRAME_SAMPLES <= DELAY_MAX_SAMPLES;
    if (isQuiet || !mayWait) this.#moveOn(frame.length);
  }

  /** The position is behind: gaps are left out for nothing, pauses are shortened, and steady sound only in need. */
  #catchUp(frame: Int16Array, behind: number): void {
    const timeline = this.#timeline;
    if (!timeline.isPresent(this.#position)) {
      const gap = timeline.runLength(this.#position, Math.min(behind, this.#newestEnd - this.#position));
      this.#skip(gap);
    } else if (behind > CORRECTION_SAMPLES) {
      const skip = Math.min(behind, frame.length);
      if (timeline.isQuiet(this.#position, frame.length + skip, PAUSE_PEAK)) this.#skip(skip);
      else if (behind > FORCED_CORRECTION_SAMPLES) {
        this.#playShortened(frame);
        return;
      }
    }
    this.#play(frame);
  }

  #playShortened(frame: Int16Array): void {
    const { length } = frame;
    const isWhole = this.#timeline.runLength(this.#position, 2 * length) === 2 * length;
    const from = this.#position;
    if (isWhole) this.#skip(length);
    this.#play(frame);
    if (!isWhole) return;
    // The skipped samples are forgotten but not yet overwritten.
    for (let index = 0; index < BLEND_SAMPLES; index++) {
      const share = (index + 1) / (BLEND_SAMPLES + 1);
      frame[index] = (frame[index] as number) * share + this.#timeline.sampleAt(from + index) * (1 - share);
    }
  }

  #play(frame: Int16Array): void {
    for (let at = 0; at < frame.length; ) {
      const time = this.#position + at;
      const count = this.#timeline.runLength(time, frame.length - at);
      if (this.#timeline.isPresent(time)) {
        this.#timeline.copy(time, frame, at, count);
        this.#concealer.accept(frame, at, at + count);
      } else this.#fillMissing(frame, at, at + count, time);
      at += count;
    }
  }

  #fillMissing(frame: Int16Array, start: number, end: number, time: number): boolean {
    const isQuiet = time >= this.#quietStart && time < this.#quietEnd;
    if (isQuiet) this.#concealer.silence(frame, start, end);
    else this.#concealer.conceal(frame, start, end);
    return isQuiet;
  }

  #skip(count: number): void {
    this.#counts.skippedSamples += count;
    this.#moveOn(count);
  }

  #moveOn(count: number): void {
    this.#timeline.forget(this.#position, count);
    this.#position += count;
  }
}
