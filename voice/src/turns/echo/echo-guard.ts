import type { TurnSettings } from "../turn-settings.ts";

/** How similar one received window is to what we played before, on a line that is known to echo. */
export interface EchoMark {
  /** Correlation with what we played one lag earlier, from 0 to 1. */
  readonly likeness: number;
  /** The expected level of the echo of what we played; null when we played nothing then. */
  readonly expectedDbfs: number | null;
}

/** Enough of a short text must be ours; of two words, both. */
const OWN_SHARE_MIN = 0.7;

/**
 * Audio that is no louder than our expected echo, or is similar to our voice and not much louder, is not the callee's
 * speech. Two voices are occasionally similar for a moment, but our echo does not become so much louder from one moment
 * to the next.
 */
export function isEcho(mark: EchoMark | null, levelDbfs: number, settings: TurnSettings): boolean {
  if (mark === null || mark.expectedDbfs === null) return false;
  const louderDb = levelDbfs - mark.expectedDbfs;
  if (louderDb <= settings.echoLevelMarginDb) return true;
  return mark.likeness >= settings.echoLikenessMin && louderDb <= settings.echoLouderMaxDb;
}

/** Whether words are ours: most of them occur, in order, in what we said recently. */
export function sharesOwnWords(words: readonly string[], ownWords: readonly string[]): boolean {
  if (words.length === 0 || ownWords.length === 0) return false;
  let best = 0;
  for (let start = 0; start < ownWords.length; start++) {
    if (!words.includes(ownWords[start] as string)) continue;
    best = Math.max(best, matchesFrom(words, ownWords, start));
  }
  return best / words.length >= OWN_SHARE_MIN;
}

/** How many of the words occur in sequence, with at most one of our words skipped between two. */
function matchesFrom(words: readonly string[], ownWords: readonly string[], start: number): number {
  let at = start;
  let count = 0;
  for (const word of words) {
    const found = ownWords.slice(at, at + 2).indexOf(word);
    if (found < 0) continue;
    at += found + 1;
    count += 1;
  }
  return count;
}
