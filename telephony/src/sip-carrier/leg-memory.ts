import { createPlayout } from "@parley/audio/playout-layout";
import { createRing, RingWriter } from "@parley/audio/ring";
import type { LegMedia } from "../carrier.ts";

export function createLegMemory(): LegMedia {
  return { heard: createRing(), played: createRing(), playout: createPlayout() };
}

/** Tells the readers of a leg that nothing more comes, also where its writer never began or is gone. */
export function closeLegMemory({ heard, played }: LegMedia): void {
  new RingWriter(heard).close();
  new RingWriter(played).close();
}
