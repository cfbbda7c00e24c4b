import { createPlayout } from "@parley/audio/playout-layout";
import { createRing, RingWriter } from "@parley/audio/ring";
import type { LegMedia } from "./carrier.ts";

/** The shared memory of one leg's sound, made when it is first asked for: in a network without sound nobody asks. */
export class LegMemory {
  #media: LegMedia | null = null;
  #isClosed = false;

  get media(): LegMedia {
    if (this.#media === null) {
      this.#media = { heard: createRing(), played: createRing(), playout: createPlayout() };
      if (this.#isClosed) closeRings(this.#media);
    }
    return this.#media;
  }

  /** Tells the readers of the rings, also those to come, that nothing more will be written. */
  close(): void {
    this.#isClosed = true;
    if (this.#media !== null) closeRings(this.#media);
  }
}

function closeRings({ heard, played }: LegMedia): void {
  for (const ring of [heard, played]) new RingWriter(ring).close();
}
