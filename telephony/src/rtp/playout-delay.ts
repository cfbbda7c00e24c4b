import { FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";

/** How long after the quickest possible moment sound is played. Below 40 ms a 20 ms grid leaves no room for jitter. */
export const DELAY_MIN_SAMPLES = samplesIn(40);
/** Above this a conversation suffers more from the delay than from a lost word. */
export const DELAY_MAX_SAMPLES = samplesIn(120);

/** The baseline is the quickest packet of the last eight seconds, so that it follows clocks that drift apart. */
const BASELINE_BUCKETS = 8;
const BUCKET_SAMPLES = samplesIn(1000);

const BIN_SAMPLES = samplesIn(5);
const BINS = 64;
/** Each packet lowers the weight of those before: about ten seconds at fifty a second. */
const KEPT_SHARE = 0.998;
/** One packet in a hundred may come too late; fewer would cost everybody delay for the sake of rare spikes. */
const LATE_SHARE = 0.01;
const PACKETS_PER_REVIEW = 8;
/** Far below what a number can hold, and reached every two hours. */
const UNIT_MAX = 1e280;

/**
 * Learns how late packets are, compared with the quickest, and how long to wait for them. All times are in samples;
 * the transit of a packet is the time it arrived minus its timestamp, of which only differences mean anything.
 */
export class PlayoutDelay {
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

  /** Instead of lowering all weights with each packet, the packet's own grows, which comes to the same. */
  #weigh(lateness: number): void {
    const bin = Math.min(BINS - 1, Math.floor(lateness / BIN_SAMPLES));
    this.#weights[bin] = (this.#weights[bin] as number) + this.#unit;
    this.#sum += this.#unit;
    this.#unit /= KEPT_SHARE;
    if (this.#unit > UNIT_MAX) this.#scaleDown();
    this.#packets += 1;
    // A packet that is later than expected counts at once; that others were not takes a while to believe anyway.
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
