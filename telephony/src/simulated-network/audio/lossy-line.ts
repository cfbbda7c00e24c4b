import { FRAME_MS, FRAME_SAMPLES, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { RandomNumbers } from "@parley/audio/seeded-random";
import { JitterBuffer } from "../../rtp/playout/jitter-buffer.ts";
import { estimateMos, ReceptionStatistics } from "../../rtp/statistics.ts";
import type { Line, Reception } from "./line.ts";

interface Packet {
  readonly sequence: number;
  readonly samples: Int16Array;
  readonly arrivalMs: number;
}

/** One packet in twenty is lost, often two in a row: a weak mobile connection that is just usable. */
const LOSS_SHARE = 0.05;
const LOSS_BURST = 2;
const DELAY_MS = 40;
/** Mean of what each packet is late; one in a hundred overtakes none but is 80 ms late. */
const JITTER_MS = 12;
const STALL_SHARE = 0.01;
const STALL_MS = 80;
const SEQUENCE_MODULUS = 2 ** 16;

/**
 * A line that loses packets and delivers the others late. They pass the same jitter buffer and the same concealment as
 * packets from a real network, so the result is as on a real one.
 */
export class LossyLine implements Line {
  readonly isAlive = true;
  readonly #random: RandomNumbers;
  readonly #buffer = new JitterBuffer();
  readonly #statistics = new ReceptionStatistics(TELEPHONE_RATE_HZ);
  #inFlight: Packet[] = [];
  #sent = 0;
  #isLosing = false;
  #lastArrivalMs = 0;

  constructor(random: RandomNumbers) {
    this.#random = random;
  }

  carry(frame: Int16Array, nowMs: number): void {
    this.#send(frame, nowMs);
    this.#deliver(nowMs);
    this.#buffer.pull(frame, nowMs);
  }

  reception(): Reception {
    const { received, lost, jitterMs } = this.#statistics;
    const packetsLost = Math.max(0, lost);
    const lossShare = Math.max(
      this.#buffer.concealedSamples / Math.max(1, this.#sent * FRAME_SAMPLES),
      packetsLost / Math.max(1, received + packetsLost),
    );
    const delayMs = DELAY_MS / 2 + this.#buffer.meanDelayMs + FRAME_MS;
    return {
      packetsReceived: received,
      packetsLost,
      jitterMs,
      roundTripMs: DELAY_MS,
      mos: received === 0 ? null : estimateMos({ lossShare, delayMs }),
    };
  }

  #send(frame: Int16Array, nowMs: number): void {
    const sequence = this.#sent;
    this.#sent += 1;
    if (this.#loses()) return;
    // Exponential: most packets are nearly on time. A queue keeps their order.
    const lateMs = -Math.log(1 - this.#random()) * JITTER_MS + (this.#random() < STALL_SHARE ? STALL_MS : 0);
    const arrivalMs = Math.max(this.#lastArrivalMs, nowMs + DELAY_MS + lateMs);
    this.#lastArrivalMs = arrivalMs;
    this.#inFlight.push({ sequence, samples: frame.slice(), arrivalMs });
  }

  /** Gilbert's model: a good and a bad state, with the wanted share and length of the bad one. */
  #loses(): boolean {
    const chance = this.#random();
    this.#isLosing = this.#isLosing ? chance >= 1 / LOSS_BURST : chance < LOSS_SHARE / (1 - LOSS_SHARE) / LOSS_BURST;
    return this.#isLosing;
  }

  #deliver(nowMs: number): void {
    const due = this.#inFlight.filter(({ arrivalMs }) => arrivalMs <= nowMs);
    if (due.length === 0) return;
    this.#inFlight = this.#inFlight.slice(due.length);
    for (const { sequence, samples, arrivalMs } of due) {
      const timestamp = (sequence * FRAME_SAMPLES) >>> 0;
      const status = this.#statistics.observe(sequence % SEQUENCE_MODULUS, timestamp, arrivalMs, true);
      if (status !== "suspect") this.#buffer.push(timestamp, samples, samples.length, arrivalMs);
    }
  }
}
