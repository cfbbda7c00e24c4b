import { type SpeechRule, WORD_END } from "./speech-rule.ts";

/**
 * Sounds of agreeing and of thinking. Written as people write them they have no vowel, and engines spell what they cannot
 * read: "Mhm" becomes the three letters. Each is said as the nearest word. "Uh-huh", "uh" and "um" are words already.
 */
const SOUNDS: readonly (readonly [pattern: string, word: string])[] = [
  ["[Mm]+[- ]?[Hh]m+", "um hum"],
  ["[Hh]m+", "hum"],
  // Without a sign behind it, "mm" in small letters is a measure.
  ["(?:Mm+|m{3,}|mm(?=[.,!?…]))", "um"],
  ["[Uu]hh+", "uh"],
  ["[Uu]mm+", "um"],
  ["[Aa]hh+", "ah"],
  ["[Oo]hh+", "oh"],
  ["[Ss]hh+", "shush"],
];

export const HESITATIONS: readonly SpeechRule[] = SOUNDS.map(([pattern, word]) => ({
  pattern: new RegExp(`${pattern}${WORD_END}`, "y"),
  say: ({ groups }) => (/^[A-Z]/.test(groups[0] ?? "") ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word),
}));
