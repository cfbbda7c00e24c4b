import { PAUSE_MS, piecesOf } from "./pauses.ts";

/** One syllable of babble, and the pause after it. */
export interface Syllable {
  readonly vowel: Vowel;
  readonly durationMs: number;
  readonly pauseMs: number;
  /** How far into its sentence it is, from 0 to 1. */
  readonly progress: number;
  readonly isQuestion: boolean;
}

export type Vowel = "a" | "e" | "i" | "o" | "u";

const SYLLABLE_MS = 130;
/** A stressed syllable, which every third one is taken to be, lasts longer. */
const STRESSED_MS = 180;
const WORD_PAUSE_MS = 40;
const CLAUSE_PAUSE_MS = 220;
const SENTENCE_PAUSE_MS = 380;

/** Cuts text into syllables by its vowels, at the pace of an unhurried speaker (some four syllables a second). */
export function syllablesOf(text: string): readonly Syllable[] {
  return text.split(/(?<=[.?!])\s+/).flatMap(syllablesOfSentence);
}

/** How long it takes to say a line at that pace, its pauses included. */
export function speechDurationMs(text: string): number {
  const pieces = piecesOf(text);
  const spokenMs = pieces.flatMap(syllablesOf).reduce((sum, { durationMs, pauseMs }) => sum + durationMs + pauseMs, 0);
  return spokenMs + PAUSE_MS * (pieces.length - 1);
}

function syllablesOfSentence(sentence: string): readonly Syllable[] {
  const isQuestion = sentence.trimEnd().endsWith("?");
  const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const vowels = words.map(vowelsOf);
  const total = vowels.flat().length;
  let count = 0;
  return words.flatMap((word, index) => {
    const own = vowels[index] ?? [];
    return own.map((vowel, place): Syllable => {
      const progress = count / Math.max(1, total - 1);
      count += 1;
      return {
        vowel,
        durationMs: count % 3 === 1 ? STRESSED_MS : SYLLABLE_MS,
        pauseMs: place === own.length - 1 ? pauseAfter(word) : 0,
        progress,
        isQuestion,
      };
    });
  });
}

/** Digits and words without a vowel of ours count as one syllable, whose sound follows from the sign. */
function vowelsOf(word: string): Vowel[] {
  const groups = word.toLowerCase().match(/[aeiouy]+|\p{N}/gu) ?? [word];
  return groups.map((group) => {
    const known = /[aeiou]/.exec(group)?.[0];
    return (known ?? "aeiou".charAt((group.codePointAt(0) ?? 0) % 5)) as Vowel;
  });
}

function pauseAfter(word: string): number {
  if (/[.?!]["')]*$/.test(word)) return SENTENCE_PAUSE_MS;
  return /[,;:]["')]*$/.test(word) ? CLAUSE_PAUSE_MS : WORD_PAUSE_MS;
}
