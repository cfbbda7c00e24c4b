import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 20;
// Quick enough that there are calls for a fault to hit, slow enough that there are some left for the faults after it.
const WHILE_LATE = 1 / 3;

/**
 * The time of a plan, which is made for a quick machine. On a slow one it passes more slowly, and while a fault waits for its
 * chance it nearly stands still: the calls that later faults are to hit are not placed before.
 */
export class PlanClock {
  readonly #pace: number;
  #lateness = 0;
  #plannedMs = 0;
  #lookedAtMs = performance.now();

  constructor(pace: number) {
    this.#pace = pace;
  }

  get nowMs(): number {
    const nowMs = performance.now();
    const speed = this.#lateness > 0 ? WHILE_LATE : 1;
    this.#plannedMs += ((nowMs - this.#lookedAtMs) * speed) / this.#pace;
    this.#lookedAtMs = nowMs;
    return this.#plannedMs;
  }

  async until(plannedMs: number): Promise<void> {
    while (this.nowMs < plannedMs) await sleep(LOOK_MS);
  }

  /** Time hardly passes while this is done. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#turn(1);
    try {
      return await work();
    } finally {
      this.#turn(-1);
    }
  }

  #turn(by: 1 | -1): void {
    // What has passed so far passed at the speed of before.
    void this.nowMs;
    this.#lateness += by;
  }
}
