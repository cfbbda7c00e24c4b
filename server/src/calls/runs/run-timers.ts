import type { Clock } from "@parley/telephony/clock";

/** The timers of a run, by name. One that is set again starts anew. */
export class RunTimers {
  readonly #clock: Clock;
  readonly #cancels = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(name: string, delayMs: number, work: () => void): void {
    this.cancel(name);
    this.#cancels.set(name, this.#clock.setTimer(delayMs, work));
  }

  cancel(name: string): void {
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
  }

  clear(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
