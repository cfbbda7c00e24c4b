import { createPlayout } from "@parley/audio/playout-layout";
import { createRing, RingWriter } from "@parley/audio/ring";
import type { LegMedia } from "./carrier.ts";
import { weighMemory } from "./memory-weight.ts";

/** The shared memory of one leg's audio, allocated on first use: a network without audio never uses it. */
export class LegMemory {
  #media: LegMedia | null = null;
  /** Referenced for as long as the memory, and never read. */
  weight: ArrayBuffer | null = null;
  #isClosed = false;

  get media(): LegMedia {
    if (this.#media === null) {
      this.#media = { heard: createRing(), played: createRing(), playout: createPlayout() };
      this.weight = weighMemory(bytesOf(this.#media));
      if (this.#isClosed) closeRings(this.#media);
    }
    return this.#media;
  }

  /** Signals current and future readers of the rings that nothing more will be written. */
  close(): void {
    this.#isClosed = true;
    if (this.#media !== null) closeRings(this.#media);
  }
}

export function bytesOf({ heard, played, playout }: LegMedia): number {
  return heard.byteLength + played.byteLength + playout.control.byteLength + playout.pcm.byteLength;
}

function closeRings({ heard, played }: LegMedia): void {
  for (const ring of [heard, played]) new RingWriter(ring).close();
}
