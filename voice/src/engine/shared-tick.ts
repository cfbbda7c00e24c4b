import type { Clock } from "@parley/time/clock";

/** Half a frame: playback is noticed soon, at little cost. */
const TICK_MS = 10;

/**
 * One timer for all calls of a thread. Each member updates its call at every tick; without members there is
 * no timer at all.
 */
export class SharedTick {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #members = new Set<() => void>();
  #cancel: (() => void) | null = null;
  #dueMs = 0;

  constructor(clock: Clock, intervalMs: number = TICK_MS) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** Ticks until the returned function is called. A member must not throw. */
  join(look: () => void): () => void {
    this.#members.add(look);
    if (this.#cancel === null) {
      this.#dueMs = this.#clock.now();
      this.#schedule();
    }
    return () => {
      this.#members.delete(look);
      if (this.#members.size > 0) return;
      this.#cancel?.();
      this.#cancel = null;
    };
  }

  /** Scheduled by the clock and not by the last tick, so that a late tick does not delay the following ones; missed ticks are skipped. */
  #schedule(): void {
    const nowMs = this.#clock.now();
    const dueMs = Math.max(this.#dueMs + this.#intervalMs, nowMs);
    // A clock that was set back would stop all calls until it has caught up.
    this.#dueMs = Math.min(dueMs, nowMs + 2 * this.#intervalMs);
    this.#cancel = this.#clock.setTimer(this.#dueMs - nowMs, () => {
      this.#cancel = null;
      for (const look of this.#members) look();
      if (this.#members.size > 0 && this.#cancel === null) this.#schedule();
    });
  }
}
