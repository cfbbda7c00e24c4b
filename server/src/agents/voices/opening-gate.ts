import type { Clock } from "@parley/time/clock";

/** A greeting is rendered within this time, even beside others. */
const OPENING_MS = 8_000;
/** A call that has waited this long is dialed anyway. */
const WAIT_MAX_MS = 20_000;

/**
 * Calls that start at the same moment all need their greeting a few seconds later. On a machine that cannot speak them all at
 * once, they are dialed one after the other, so that no greeting runs dry within a sentence.
 */
export class OpeningGate {
  readonly #clock: Clock;
  /** When the greetings that are being rendered were started, oldest first. */
  #startedMs: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when one more greeting can be spoken beside those that were started lately. */
  async enter(openingsAtOnce: number): Promise<void> {
    const nowMs = this.#clock.now();
    this.#startedMs = this.#startedMs.filter((startedMs) => startedMs > nowMs - OPENING_MS);
    const before = this.#startedMs.at(-Math.max(1, openingsAtOnce));
    const freeMs = before === undefined ? nowMs : before + OPENING_MS;
    const startMs = Math.min(Math.max(nowMs, freeMs), nowMs + WAIT_MAX_MS);
    // The place is taken now, so that the next call waits behind this one.
    this.#startedMs.push(startMs);
    if (startMs > nowMs) await new Promise<void>((resolve) => this.#clock.setTimer(startMs - nowMs, resolve));
  }
}
