import type { ReportBlock } from "./rtcp-packet.ts";

/** What is known about the packets of one source, as RFC 3550 counts them. */
export class ReceptionStatistics {
  readonly #sequence = new SequenceTracker();
  readonly #rateHz: number;
  #received = 0;
  #expectedBefore = 0;
  #receivedBefore = 0;
  #lastTransit = 0;
  #hasTransit = false;
  #jitter = 0;
  #lostInEarlierStreams = 0;
  #receivedInEarlierStreams = 0;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
  }

  get sequence(): SequenceTracker {
    return this.#sequence;
  }

  /** Section 6.4.1 and A.8: J += (|D| - J) / 16, in timestamp units. */
  get jitter(): number {
    return this.#jitter;
  }

  get jitterMs(): number {
    return (this.#jitter * 1000) / this.#rateHz;
  }

  /** All packets, those of streams before a restart included. */
  get received(): number {
    return this.#receivedInEarlierStreams + this.#received;
  }

  /** Section A.3. Duplicates count as received, so this may be negative. */
  get lost(): number {
    return this.#lostInEarlierStreams + this.#expected() - this.#received;
  }

  /** Packets whose timestamp is not the instant of their first sample (telephone events) leave the jitter alone. */
  observe(sequence: number, timestamp: number, arrivalMs: number, timestampIsInstant: boolean): SequenceStatus {
    const expectedBefore = this.#expected();
    const status = this.#sequence.observe(sequence);
    if (status === "suspect") return status;
    if (status === "restarted") this.#forgetStream(expectedBefore);
    this.#received += 1;
    if (timestampIsInstant) this.#observeTransit(timestamp, arrivalMs);
    return status;
  }

  /** The source changed: its numbers have nothing to do with those before. */
  restart(sequence: number): void {
    this.#forgetStream(this.#expected());
    this.#sequence.restart(sequence);
  }

  /** The content of a report block; closes the interval it covers (A.3). */
  takeReport(ssrc: number): ReportBlock {
    const expected = this.#expected();
    const expectedInterval = expected - this.#expectedBefore;
    const lostInterval = expectedInterval - (this.#received - this.#receivedBefore);
    this.#expectedBefore = expected;
    this.#receivedBefore = this.#received;
    return {
      ssrc,
      fractionLost:
        expectedInterval <= 0 || lostInterval <= 0
          ? 0
          : Math.min(255, Math.floor((lostInterval * 256) / expectedInterval)),
      cumulativeLost: expected - this.#received,
      highestSequence: this.#sequence.highest >>> 0,
      jitter: Math.floor(this.#jitter),
      lastSenderReport: 0,
      delaySinceLast: 0,
    };
  }

  #expected(): number {
    return this.#sequence.hasStarted ? this.#sequence.highest - this.#sequence.base + 1 : 0;
  }

  #observeTransit(timestamp: number, arrivalMs: number): void {
    // Modulo 2^32, so a wrap of the timestamp is not a jump.
    const transit = (Math.round((arrivalMs * this.#rateHz) / 1000) - timestamp) | 0;
    if (this.#hasTransit) {
      const difference = Math.abs((transit - this.#lastTransit) | 0);
      // More than a second is a sender that moved its clock, which says nothing about the network.
      if (difference < this.#rateHz) this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#lastTransit = transit;
    this.#hasTransit = true;
  }

  #forgetStream(expected: number): void {
    this.#lostInEarlierStreams += expected - this.#received;
    this.#receivedInEarlierStreams += this.#received;
    this.#received = 0;
    this.#expectedBefore = 0;
    this.#receivedBefore = 0;
    this.#hasTransit = false;
  }
}

/**
 * Section 6.4.1: arrival - DLSR - LSR, all in 65,536ths of a second. Null if the report does not refer to one of ours, or if
 * the far end's arithmetic yields an impossible time.
 */
export function roundTripMsOf(arrivalNtpMiddle: number, block: ReportBlock): number | null {
  if (block.lastSenderReport === 0) return null;
  const units = (arrivalNtpMiddle - block.lastSenderReport - block.delaySinceLast) | 0;
  const roundTripMs = (units * 1000) / 65_536;
  return roundTripMs < -50 || roundTripMs > 10_000 ? null : Math.max(0, roundTripMs);
}

export interface LineQuality {
  /** Share of packets that were not there when they should have been played, from 0 to 1. */
  lossShare: number;
  /** Mouth to ear, as in ITU-T G.107. */
  delayMs: number;
}

/** ITU-T G.107 with all at its defaults but delay and loss. */
const DEFAULT_R = 93.2;
/** Bpl of ITU-T G.113 appendix I: G.711 with concealment, random loss. Without concealment it would be 4.3. */
const G711_LOSS_ROBUSTNESS = 25.1;

/**
 * An estimate of the mean opinion score (1 to 4.4) by the E-model, ITU-T G.107, in the reduced form of Cole and
 * Rosenbluth (2001): R = 93.2 - Id - Ie, where
 * Id = 0.024 d + 0.11 (d - 177.3) for d above 177.3 ms, and Ie = 95 p / (p + Bpl) with p in percent.
 */
export function estimateMos({ lossShare, delayMs }: LineQuality): number {
  const lossPercent = 100 * Math.min(1, Math.max(0, lossShare));
  const delay = Math.max(0, delayMs);
  const delayImpairment = 0.024 * delay + (delay > 177.3 ? 0.11 * (delay - 177.3) : 0);
  const lossImpairment = (95 * lossPercent) / (lossPercent + G711_LOSS_ROBUSTNESS);
  const r = Math.min(100, Math.max(0, DEFAULT_R - delayImpairment - lossImpairment));
  return Math.max(1, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6);
}

/** RFC 3550 section A.1: further ahead is taken for a restart, further behind too. Both are counts of packets. */
const DROPOUT_MAX = 3000;
const MISORDER_MAX = 100;
const SEQUENCE_SPAN = 0x1_0000;
const NOTHING_SUSPECTED = -1;

/**
 * What a sequence number turned out to be:
 * `first` begins the stream, `ahead` continues it (perhaps after a gap), `behind` is late or a duplicate, `suspect` is
 * so far off that it is held against its successor, and `restarted` is that successor: the sender began again.
 */
export type SequenceStatus = "first" | "ahead" | "behind" | "suspect" | "restarted";

/**
 * Sequence numbers extended beyond their 16 bits (section A.1). There is no probation of two packets as in the RFC: a
 * leg takes packets from one latched address, and a probation would cost the first 20 ms of every "hello".
 */
export class SequenceTracker {
  #started = false;
  #highest = 0;
  #cycles = 0;
  #base = 0;
  #suspected = NOTHING_SUSPECTED;
  #extended = 0;

  /** The extended number of the packet observed last, unless it was suspect. */
  get extended(): number {
    return this.#extended;
  }

  /** The highest extended number so far. */
  get highest(): number {
    return this.#cycles + this.#highest;
  }

  /** The extended number that the stream began with, or began again with. */
  get base(): number {
    return this.#base;
  }

  get hasStarted(): boolean {
    return this.#started;
  }

  observe(sequence: number): SequenceStatus {
    if (!this.#started) {
      this.restart(sequence);
      return "first";
    }
    const step = (sequence - this.#highest) & 0xffff;
    if (step !== 0 && step < DROPOUT_MAX) {
      if (sequence < this.#highest) this.#cycles += SEQUENCE_SPAN;
      this.#highest = sequence;
      this.#suspected = NOTHING_SUSPECTED;
      this.#extended = this.#cycles + sequence;
      return "ahead";
    }
    if (step === 0 || step >= SEQUENCE_SPAN - MISORDER_MAX) {
      // A number above the highest one belongs to the turn before, if there was one.
      this.#extended = this.#cycles + sequence - (sequence > this.#highest ? SEQUENCE_SPAN : 0);
      return "behind";
    }
    if (sequence === this.#suspected) {
      this.restart(sequence);
      return "restarted";
    }
    this.#suspected = (sequence + 1) & 0xffff;
    return "suspect";
  }

  /** Restarts with this number, for example because the source changed. */
  restart(sequence: number): void {
    this.#started = true;
    this.#highest = sequence;
    this.#cycles = 0;
    this.#base = sequence;
    this.#suspected = NOTHING_SUSPECTED;
    this.#extended = sequence;
  }
}
