import type { LegSound } from "./leg-sound.ts";
import { likeness } from "./likeness.ts";

/** So many phrases are listened to in any case, that the other side may hear as many. */
const PHRASES_MIN = 3;
const PHRASES_MAX = 9;
/** For the way there and back, and for what the buffers on it hold. */
const WAY_SAMPLES = 4_000;

/**
 * Listens to a phrase that is said over and over, from now on, until it was heard clearly, and gives how clear it was. A
 * machine that is busy elsewhere makes that take longer; on a bad line it never comes.
 */
export async function hearClearly(
  sound: LegSound,
  phrase: Int16Array,
  { phrasesMin = PHRASES_MIN } = {},
): Promise<number> {
  const before = sound.heard().length;
  let clearest = 0;
  for (let phrases = phrasesMin; phrases <= PHRASES_MAX && clearest <= 0.99; phrases++) {
    const heard = await sound.untilHeard(before + phrases * phrase.length + WAY_SAMPLES);
    const recent = heard.subarray(Math.max(before, heard.length - (PHRASES_MIN + 1) * phrase.length));
    clearest = Math.max(clearest, likeness(phrase, recent));
  }
  return clearest;
}
