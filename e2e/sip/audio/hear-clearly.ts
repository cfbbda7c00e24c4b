import type { LegAudio } from "./leg-audio.ts";
import { likeness } from "./likeness.ts";

/** At least this many phrases are listened to, so that the other side may hear as many. */
const PHRASES_MIN = 3;
const PHRASES_MAX = 9;
/** For the round trip, and for what its buffers hold. */
const WAY_SAMPLES = 4_000;

/**
 * Listens to a repeated phrase, from now on, until it was heard clearly, and returns how clear it was. On a busy
 * machine that takes longer; on a bad line it never succeeds.
 */
export async function hearClearly(
  audio: LegAudio,
  phrase: Int16Array,
  { phrasesMin = PHRASES_MIN, measure = likeness } = {},
): Promise<number> {
  const before = audio.heard().length;
  let clearest = 0;
  for (let phrases = phrasesMin; phrases <= PHRASES_MAX && clearest <= 0.99; phrases++) {
    const heard = await audio.untilHeard(before + phrases * phrase.length + WAY_SAMPLES);
    const recent = heard.subarray(Math.max(before, heard.length - (PHRASES_MIN + 1) * phrase.length));
    clearest = Math.max(clearest, measure(phrase, recent));
  }
  return clearest;
}
