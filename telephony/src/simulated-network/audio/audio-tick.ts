import { FRAME_MS } from "@parley/audio/frame";
import type { Clock } from "@parley/time/clock";
import { SlotClock } from "../../rtp/slot-clock.ts";

/** Anything with audio: it is ticked every 20 ms, with the time at which the tick was due. */
export interface Ticking {
  tick(dueMs: number): void;
}

/**
 * One timer for all audio of a network, on the absolute clock: late ticks are caught up on, and nothing drifts.
 * While nothing has audio there is no timer.
 */
export class AudioTick {
  readonly #clock: Clock;
  readonly #ticking = new Set<Ticking>();
  #slots: SlotClock | null = null;
  #cancelTimer: (() => void) | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ticks it from now on. Returns the function that stops. */
  join(ticking: Ticking): () => void {
    this.#ticking.add(ticking);
    if (this.#cancelTimer === null) this.#start();
    return () => this.#leave(ticking);
  }

  #start(): void {
    this.#slots = new SlotClock(this.#clock.now(), 1);
    this.#schedule(0);
  }

  #leave(ticking: Ticking): void {
    this.#ticking.delete(ticking);
    if (this.#ticking.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#slots = null;
  }

  #schedule(waitMs: number): void {
    this.#cancelTimer = this.#clock.setTimer(waitMs, () => this.#run());
  }

  #run(): void {
    const slots = this.#slots;
    if (slots === null) return;
    const waitMs = slots.run(this.#clock.now(), (_, dueMs) => {
      // The last member may have left during the tick, and another may have joined.
      if (this.#slots !== slots) return;
      for (const ticking of this.#ticking) ticking.tick(dueMs);
    });
    if (this.#slots !== slots) return;
    // A clock that was set back would silence all calls until it has caught up.
    if (waitMs > 2 * FRAME_MS) this.#start();
    else this.#schedule(Math.max(1, waitMs));
  }
}
