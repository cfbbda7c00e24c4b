import type { Call } from "@parley/contract/calls";

type Quality = NonNullable<Call["quality"]>;

// ITU-T G.107 annex B: what people say of a line with such a score.
const SCORES = [
  { atLeast: 4.03, words: "Good" },
  { atLeast: 3.6, words: "Fair" },
  { atLeast: 3.1, words: "Poor" },
];

/** How the line sounded, as people judge it. */
export function judgeLine({ mos }: Pick<Quality, "mos">): string {
  return SCORES.find(({ atLeast }) => mos >= atLeast)?.words ?? "Bad";
}

/** What that rests on. */
export function measureLine({ mos, lossPercent, jitterMs }: Quality): string {
  return `${mos.toFixed(1)} of 5 (MOS), ${lossPercent.toFixed(1)} % lost, ${Math.round(jitterMs)} ms jitter`;
}
