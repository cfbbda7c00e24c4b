import { durationMsOf, FRAME_MS } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { Clock } from "@parley/time/clock";

/**
 * Time as the sound of one leg counts it. The rings move by frames; between two of them the clock goes on, at most to the
 * next one, so that it never runs ahead of sound that does not come.
 */
export class LegTime {
  readonly #clock: Clock;
  readonly #ring: RingReader;
  #positionMs = -1;
  #seenMs = 0;

  constructor(clock: Clock, heard: SharedArrayBuffer) {
    this.#clock = clock;
    this.#ring = new RingReader(heard);
  }

  nowMs(): number {
    const positionMs = durationMsOf(this.#ring.writtenPosition);
    const clockMs = this.#clock.now();
    if (positionMs !== this.#positionMs) {
      this.#positionMs = positionMs;
      this.#seenMs = clockMs;
    }
    return positionMs + Math.min(FRAME_MS, Math.max(0, clockMs - this.#seenMs));
  }
}
