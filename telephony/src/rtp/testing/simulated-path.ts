import { createRandom, type Random } from "@parley/audio/testing/random";

/** How a network treats packets. All shares are from 0 to 1. */
export interface PathConditions {
  seed: number;
  delayMs?: number;
  /** Deviation of a one-sided bell added to the delay. */
  jitterMs?: number;
  /** Occasionally everything stalls for this long. */
  stallShare?: number;
  stallMs?: number;
  lossShare?: number;
  /** Packets lost in a row, on average. */
  lossBurst?: number;
  reorderShare?: number;
  duplicateShare?: number;
}

interface InFlight<T> {
  item: T;
  arrivalMs: number;
}

/** One direction of a network, on the clock of the test. */
export class SimulatedPath<T> {
  readonly #conditions: Required<PathConditions>;
  readonly #random: Random;
  #inFlight: InFlight<T>[] = [];
  #lastArrivalMs = 0;
  #isLosing = false;
  lost = 0;

  constructor(conditions: PathConditions) {
    this.#conditions = {
      delayMs: 30,
      jitterMs: 0,
      stallShare: 0,
      stallMs: 0,
      lossShare: 0,
      lossBurst: 1,
      reorderShare: 0,
      duplicateShare: 0,
      ...conditions,
    };
    this.#random = createRandom(conditions.seed);
  }

  send(item: T, nowMs: number): void {
    const { delayMs, jitterMs, stallShare, stallMs, reorderShare, duplicateShare } = this.#conditions;
    if (this.#loses()) {
      this.lost += 1;
      return;
    }
    let arrivalMs = nowMs + delayMs + Math.abs(this.#random.normal()) * jitterMs;
    if (this.#random.next() < stallShare) arrivalMs += stallMs;
    // A queue keeps the order, so a stall delays everything behind it; only a second path changes it.
    if (this.#random.next() < reorderShare) arrivalMs += 30;
    else {
      arrivalMs = Math.max(arrivalMs, this.#lastArrivalMs);
      this.#lastArrivalMs = arrivalMs;
    }
    this.#inFlight.push({ item, arrivalMs });
    if (this.#random.next() < duplicateShare) this.#inFlight.push({ item, arrivalMs: arrivalMs + 1 });
  }

  /** Hands over, in the order of arrival, all that is there by now. */
  deliver(nowMs: number, receive: (item: T, arrivalMs: number) => void): void {
    const due = this.#inFlight.filter(({ arrivalMs }) => arrivalMs <= nowMs);
    if (due.length === 0) return;
    this.#inFlight = this.#inFlight.filter(({ arrivalMs }) => arrivalMs > nowMs);
    due.sort((a, b) => a.arrivalMs - b.arrivalMs);
    for (const { item, arrivalMs } of due) receive(item, arrivalMs);
  }

  /** Gilbert's model: a good and a bad state, with the wanted share and length of the bad one. */
  #loses(): boolean {
    const { lossShare, lossBurst } = this.#conditions;
    if (this.#isLosing) this.#isLosing = this.#random.next() >= 1 / lossBurst;
    else this.#isLosing = this.#random.next() < lossShare / (1 - lossShare) / lossBurst;
    return this.#isLosing;
  }
}
