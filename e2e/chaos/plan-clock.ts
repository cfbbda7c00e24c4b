import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 20;
// Fast enough that there are calls for a fault to hit, slow enough that some are left for later faults.
const WHILE_LATE = 1 / 3;

/**
 * The time of a plan, which is made for a fast machine. On a slow one it passes more slowly, and while a fault waits
 * for its chance it nearly stops, so that the calls for later faults are not placed too early.
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
    // What has passed so far passed at the previous speed.
    void this.nowMs;
    this.#lateness += by;
  }
}
