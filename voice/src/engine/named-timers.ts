import type { Clock } from "../ports/clock.ts";

/** Timers of one call, one of each name. */
export class NamedTimers<Name extends string> {
  readonly #clock: Clock;
  readonly #cancels = new Map<Name, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Replaces the timer of that name, if it is set. */
  set(name: Name, delayMs: number, fire: () => void): void {
    this.cancel(name);
    const cancel = this.#clock.setTimer(Math.max(0, delayMs), () => {
      this.#cancels.delete(name);
      fire();
    });
    this.#cancels.set(name, cancel);
  }

  cancel(name: Name): void {
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
  }

  cancelAll(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
