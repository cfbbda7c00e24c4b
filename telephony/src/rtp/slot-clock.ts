import { FRAME_MS } from "@parley/audio/frame";

/** The event loop's timers have a grain of 1 ms; groups of 5 ms cost the least and leave p99 at a few milliseconds. */
const SLOT_MS = 5;
export const SLOT_GROUPS = FRAME_MS / SLOT_MS;
/** After a longer suspension the missed audio is not sent: it would be useless. */
const CATCH_UP_MAX_MS = 1_000;

/**
 * When which legs tick. Legs are spread over groups, and slot n of the absolute clock belongs to group n mod 4, so each
 * group ticks every 20 ms however late the timers were: late ticks are caught up on, and nothing drifts.
 */
export class SlotClock {
  readonly #startMs: number;
  readonly #groups: number;
  #next = 0;
  #missedTicks = 0;

  /** With fewer groups the slots are longer, so that each group still ticks every 20 ms. */
  constructor(startMs: number, groups: number = SLOT_GROUPS) {
    this.#startMs = startMs;
    this.#groups = groups;
  }

  /** Ticks that every group lost while the thread stood still. */
  get missedTicks(): number {
    return this.#missedTicks;
  }

  /** Visits every slot that is due, with the time it was due at, and returns how long it is until the next. */
  run(nowMs: number, visit: (group: number, dueMs: number) => void): number {
    const behindMs = nowMs - this.#dueMs();
    if (behindMs > CATCH_UP_MAX_MS) {
      const rounds = Math.floor((behindMs - CATCH_UP_MAX_MS) / FRAME_MS);
      this.#missedTicks += rounds;
      this.#next += rounds * this.#groups;
    }
    while (this.#dueMs() <= nowMs) {
      const dueMs = this.#dueMs();
      const group = this.#next % this.#groups;
      this.#next += 1;
      visit(group, dueMs);
    }
    return this.#dueMs() - nowMs;
  }

  #dueMs(): number {
    return this.#startMs + this.#next * (FRAME_MS / this.#groups);
  }
}
