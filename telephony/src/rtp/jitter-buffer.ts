import { FRAME_SAMPLES, samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { AnnouncedSilence } from "./announced-silence.ts";
import { DELAY_MAX_SAMPLES, PlayoutDelay } from "./playout-delay.ts";
import { SampleTimeline } from "./sample-timeline.ts";
import { JUMP_SAMPLES, SenderClock } from "./sender-clock.ts";
import { TimelinePlayer } from "./timeline-player.ts";

/** So many late packets in a row mean that the way has become longer, not that each of them was unlucky. */
const LATE_PACKETS_MAX = 5;
const CORRECTION_SAMPLES = samplesIn(10);
/** Beyond this much too late a steady sound (hold music) is shortened as well. */
const FORCED_CORRECTION_SAMPLES = samplesIn(60);

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
  readonly #delay = new PlayoutDelay();
  readonly #clock = new SenderClock();
  readonly #silence = new AnnouncedSilence();
  readonly #player = new TimelinePlayer(this.#silence);
  #latePackets = 0;
  #duplicatePackets = 0;
  #restarts = 0;
  #hasStream = false;
  #isPositioned = false;
  #newestEnd = 0;
  #lateInARow = 0;
  #delaySum = 0;
  #delayTicks = 0;

  get counts(): JitterBufferCounts {
    return {
      latePackets: this.#latePackets,
      duplicatePackets: this.#duplicatePackets,
      restarts: this.#restarts,
      skippedSamples: this.#player.skippedSamples,
      insertedSamples: this.#player.insertedSamples,
    };
  }

  get concealedSamples(): number {
    return this.#player.concealedSamples;
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
    this.#silence.noteSound(time);
    this.#store(time, samples, count, arrival);
  }

  /** The sender is silent on purpose from this timestamp until its next sound. */
  pushQuiet(timestamp: number): void {
    if (!this.#hasStream) return;
    const time = this.#clock.timeOf(timestamp);
    // Sound that came after it has ended that silence already, and repeats of the same event change nothing.
    if (time >= this.#newestEnd && !this.#silence.isOpen) this.#silence.announce(time);
  }

  /** Forgets the stream, because its source changed. The jitter of the network stays known. */
  restart(): void {
    if (this.#hasStream) this.#clear();
    this.#clock.forget();
  }

  /** Overwrites the frame with the sound of this tick. */
  pull(frame: Int16Array, nowMs: number): void {
    const player = this.#player;
    if (!this.#hasStream) {
      player.playNothing(frame);
      return;
    }
    const now = Math.round((nowMs * TELEPHONE_RATE_HZ) / 1000) - this.#delay.baseline;
    const ideal = now - this.#delay.targetSamples;
    if (!this.#isPositioned) {
      player.position = ideal;
      this.#isPositioned = true;
    }
    if (player.position >= this.#newestEnd) {
      player.playMissing(frame, now - player.position + FRAME_SAMPLES <= DELAY_MAX_SAMPLES);
      return;
    }
    this.#delaySum += now - player.position;
    this.#delayTicks += 1;
    const behind = ideal - player.position;
    if (behind > 0) this.#catchUp(frame, behind);
    else player.play(frame, behind < -CORRECTION_SAMPLES && player.isPause(frame.length) ? CORRECTION_SAMPLES : 0);
  }

  #clear(): void {
    this.#player.timeline.forgetAll();
    this.#hasStream = false;
    this.#isPositioned = false;
    this.#restarts += 1;
  }

  #begin(time: number, arrival: number): void {
    this.#hasStream = true;
    this.#delay.restart(arrival - time, arrival);
    this.#newestEnd = time;
    this.#lateInARow = 0;
    this.#silence.beginStream(time);
  }

  #store(time: number, samples: Int16Array, count: number, arrival: number): void {
    const { timeline, position } = this.#player;
    const late = this.#isPositioned ? Math.max(0, position - time) : 0;
    if (late >= count) {
      this.#latePackets += 1;
      this.#lateInARow += 1;
      if (this.#lateInARow < LATE_PACKETS_MAX) return;
      this.#clear();
      this.#begin(time, arrival);
      this.#store(time, samples, count, arrival);
      return;
    }
    this.#lateInARow = 0;
    if (this.#isPositioned && time + count - position > SampleTimeline.capacitySamples) return;
    if (timeline.isPresent(time + late)) {
      this.#duplicatePackets += 1;
      return;
    }
    timeline.write(time + late, samples, late, count - late);
    this.#newestEnd = Math.max(this.#newestEnd, time + count);
  }

  /** The position is behind: gaps are left out for nothing, pauses are shortened, and steady sound only in need. */
  #catchUp(frame: Int16Array, behind: number): void {
    const player = this.#player;
    if (!player.isPresent) player.skip(player.gapLength(Math.min(behind, this.#newestEnd - player.position)));
    else if (behind > CORRECTION_SAMPLES) {
      const skip = Math.min(behind, frame.length);
      if (player.isPause(frame.length + skip)) player.skip(skip);
      else if (behind > FORCED_CORRECTION_SAMPLES) {
        player.playShortened(frame);
        return;
      }
    }
    player.play(frame);
  }
}
