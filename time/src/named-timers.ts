import type { Timers } from "./clock.ts";

/** Timers that are set and cancelled by name, at most one of each name. */
export class NamedTimers<Name extends string = string> {
  readonly #timers: Timers;
  readonly #cancels = new Map<Name, () => void>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Replaces the timer of that name, if it is set. */
  set(name: Name, delayMs: number, fire: () => void): void {
    this.cancel(name);
    const cancel = this.#timers.setTimer(Math.max(0, delayMs), () => {
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
