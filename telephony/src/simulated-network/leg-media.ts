import { createPlayout } from "@parley/audio/playout-layout";
import { createRing } from "@parley/audio/ring";
import type { LegMedia } from "../carrier.ts";

/** The shared memory of one leg's sound, as the port describes it. */
export function createLegMedia(): LegMedia {
  return { heard: createRing(), played: createRing(), playout: createPlayout() };
}
