import { FRAME_SAMPLES, samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { AnnouncedSilence } from "./announced-silence.ts";
import { SampleTimeline } from "./sample-timeline.ts";
import { TimelinePlayer } from "./timeline-player.ts";

/** This many late packets in a row mean that the path has become longer. */
const LATE_PACKETS_MAX = 5;
const CORRECTION_SAMPLES = samplesIn(10);
/** Beyond this delay steady audio (hold music) is shortened as well. */
const FORCED_CORRECTION_SAMPLES = samplesIn(60);

export interface JitterBufferCounts {
  latePackets: number;
  duplicatePackets: number;
  /** The sender's clock jumped, its source changed, or the path became longer: the buffer restarted. */
  restarts: number;
  /** Samples skipped and repeated to follow the network and the sender's clock. */
  skippedSamples: number;
  insertedSamples: number;
}

/**
 * Turns packets that arrive irregularly into one frame per tick. Audio is stored by the sender's timestamps, so
 * reordering, duplicates and any packet length are harmless; the position moves by a frame per tick, and by a little
 * more or less where it is inaudible: in gaps, in pauses, and while there is nothing to play.
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

  /** The average time that audio waited here, beyond the fastest packet. */
  get meanDelayMs(): number {
    return this.#delayTicks === 0 ? 0 : (this.#delaySum / this.#delayTicks / TELEPHONE_RATE_HZ) * 1000;
  }

  /** Adds the audio of one packet; the samples are copied. */
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
    this.#silence.noteAudio(time);
    this.#store(time, samples, count, arrival);
  }

  /** The sender is silent on purpose from this timestamp until its next audio. */
  pushQuiet(timestamp: number): void {
    if (!this.#hasStream) return;
    const time = this.#clock.timeOf(timestamp);
    // Audio that came after it has already ended that silence, and repeats of the same event change nothing.
    if (time >= this.#newestEnd && !this.#silence.isOpen) this.#silence.announce(time);
  }

  /** Forgets the stream, because its source changed. The jitter of the network stays known. */
  restart(): void {
    if (this.#hasStream) this.#clear();
    this.#clock.forget();
  }

  /** Overwrites the frame with the audio of this tick. */
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

  /** The position is behind: gaps are skipped at no cost, pauses are shortened, steady audio only when necessary. */
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

/** How long after the earliest possible moment audio is played. Below 40 ms a 20 ms grid leaves no room for jitter. */
const DELAY_MIN_SAMPLES = samplesIn(40);
/** Above this a conversation suffers more from the delay than from a lost word. */
const DELAY_MAX_SAMPLES = samplesIn(120);

/** The baseline is the quickest packet of the last eight seconds, so that it follows clocks that drift apart. */
const BASELINE_BUCKETS = 8;
const BUCKET_SAMPLES = samplesIn(1000);

const BIN_SAMPLES = samplesIn(5);
const BINS = 64;
/** Each packet lowers the weight of those before: about ten seconds at fifty a second. */
const KEPT_SHARE = 0.998;
/** One packet in a hundred may be late; a lower share would delay all audio for the sake of rare spikes. */
const LATE_SHARE = 0.01;
const PACKETS_PER_REVIEW = 8;
/** Far below what a number can hold, and reached every two hours. */
const UNIT_MAX = 1e280;

/**
 * Learns how late packets are, compared with the quickest, and how long to wait for them. All times are in samples;
 * the transit of a packet is the time it arrived minus its timestamp, of which only differences mean anything.
 */
class PlayoutDelay {
  readonly #minima = new Float64Array(BASELINE_BUCKETS);
  readonly #weights = new Float64Array(BINS);
  #bucketEnd = 0;
  #bucket = 0;
  #baseline = 0;
  #target = DELAY_MIN_SAMPLES;
  #unit = 1;
  #sum = 0;
  #packets = 0;
  #neededBins = 0;

  get baseline(): number {
    return this.#baseline;
  }

  get targetSamples(): number {
    return this.#target;
  }

  /** Begins with the first packet of a stream. What was learned about the network's jitter is kept. */
  restart(transit: number, arrival: number): void {
    this.#minima.fill(transit);
    this.#baseline = transit;
    this.#bucketEnd = arrival + BUCKET_SAMPLES;
    this.#bucket = 0;
  }

  observe(transit: number, arrival: number): void {
    if (arrival >= this.#bucketEnd) {
      this.#bucket = (this.#bucket + 1) % BASELINE_BUCKETS;
      this.#minima[this.#bucket] = transit;
      this.#bucketEnd = Math.max(this.#bucketEnd + BUCKET_SAMPLES, arrival);
      this.#baseline = this.#minima.reduce((least, minimum) => Math.min(least, minimum));
    } else if (transit < (this.#minima[this.#bucket] as number)) {
      this.#minima[this.#bucket] = transit;
      this.#baseline = Math.min(this.#baseline, transit);
    }
    this.#weigh(transit - this.#baseline);
  }

  /** Instead of lowering all weights with each packet, the packet's own grows, which is equivalent. */
  #weigh(lateness: number): void {
    const bin = Math.min(BINS - 1, Math.floor(lateness / BIN_SAMPLES));
    this.#weights[bin] = (this.#weights[bin] as number) + this.#unit;
    this.#sum += this.#unit;
    this.#unit /= KEPT_SHARE;
    if (this.#unit > UNIT_MAX) this.#scaleDown();
    this.#packets += 1;
    // A packet that is later than expected counts immediately; earlier ones lower the estimate only slowly.
    if (bin >= this.#neededBins || this.#packets % PACKETS_PER_REVIEW === 0) this.#review();
  }

  #review(): void {
    const weights = this.#weights;
    const tailMax = this.#sum * LATE_SHARE;
    let tail = 0;
    let needed = BINS;
    while (needed > 0 && tail + (weights[needed - 1] as number) <= tailMax) {
      needed -= 1;
      tail += weights[needed] as number;
    }
    this.#neededBins = needed;
    // One frame more, because a tick needs its last sample as well as its first.
    this.#target = Math.min(DELAY_MAX_SAMPLES, Math.max(DELAY_MIN_SAMPLES, needed * BIN_SAMPLES + FRAME_SAMPLES));
  }

  #scaleDown(): void {
    for (let index = 0; index < BINS; index++) this.#weights[index] = (this.#weights[index] as number) / this.#unit;
    this.#sum /= this.#unit;
    this.#unit = 1;
  }
}

/** A packet this far from where it belongs comes from a sender that moved its clock; two in a row prove it. */
const JUMP_SAMPLES = samplesIn(800);

/** The timestamps of a stream, which are modulo 2^32 on the wire (RFC 3550 section 5.1), as times that never wrap. */
class SenderClock {
  #isKnown = false;
  #lastTimestamp = 0;
  #lastTime = 0;
  #suspectTransit: number | null = null;

  /** The first timestamp is its own time. */
  timeOf(timestamp: number): number {
    return this.#isKnown ? this.#lastTime + ((timestamp - this.#lastTimestamp) | 0) : timestamp;
  }

  /** The packet was accepted. */
  follow(timestamp: number, time: number): void {
    this.#isKnown = true;
    this.#lastTimestamp = timestamp;
    this.#lastTime = time;
    this.#suspectTransit = null;
  }

  /** Judges a packet that is far off by its transit: the second of a kind is accepted. */
  confirmsJump(transit: number): boolean {
    const isSecond = this.#suspectTransit !== null && Math.abs(transit - this.#suspectTransit) < JUMP_SAMPLES;
    this.#suspectTransit = transit;
    return isSecond;
  }

  forget(): void {
    this.#isKnown = false;
    this.#suspectTransit = null;
  }
}
