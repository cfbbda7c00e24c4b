import { plainWords, withoutFillers } from "./plain-words.ts";
import { isSameWord } from "./word-forms.ts";

/** Something that can be meant, and how people say it. */
export interface Meaning<Id> {
  readonly id: Id;
  readonly phrases: readonly string[];
}

export interface MeaningMatch<Id> {
  readonly id: Id;
  /** How much of what was said is the phrase itself: 3 all of it, 2 a part of it as it is, 1 its words one by one. */
  readonly strength: 1 | 2 | 3;
  /** Between which words it was said. */
  readonly start: number;
  readonly end: number;
}

/** This many words may stand between those of a phrase: "I will definitely be able to come". */
const GAP_MAX = 4;
/** Words that do not distinguish phrases, and need not be said. */
const SMALL_WORDS = new Set(
  "a an the i you we it is are am be to of in on at for my your our me us this that will would do does and or with have has please can could shall should want like".split(
    " ",
  ),
);
/** How much of a phrase must be said if only one of its words distinguishes it from others. */
const SHARED_MIN = 0.5;
/** What negates the words after it. */
const NEGATIONS = new Set(["not", "never", "without", "neither", "nor"]);
const NEGATION_REACH = 4;

/**
 * Which of the meanings were said, each once at its best, strongest first. What was said with a "not" before it does not
 * count, unless the phrase itself has one.
 */
export function matchMeanings<Id>(text: string, meanings: readonly Meaning<Id>[]): MeaningMatch<Id>[] {
  const words = withoutFillers(plainWords(text));
  const found = meanings.flatMap(({ id, phrases }): MeaningMatch<Id>[] => {
    const matches = phrases.flatMap((phrase) => matchPhrase(words, withoutFillers(plainWords(phrase))) ?? []);
    const [best] = matches.toSorted(byStrength);
    return best === undefined ? [] : [{ id, ...best }];
  });
  return found.filter((match) => !isInsideAnother(match, found)).toSorted(byStrength);
}

type Span = Omit<MeaningMatch<unknown>, "id">;

function byStrength(one: Span, other: Span): number {
  return other.strength - one.strength || other.end - other.start - (one.end - one.start);
}

/** "come" within "come another day" is not a match of its own. */
function isInsideAnother(match: Span, all: readonly Span[]): boolean {
  const length = match.end - match.start;
  return all.some(
    (other) =>
      other.strength >= match.strength &&
      other.start <= match.start &&
      other.end >= match.end &&
      other.end - other.start > length,
  );
}

function matchPhrase(words: readonly string[], phrase: readonly string[]): Span | null {
  if (phrase.length === 0 || words.length === 0) return null;
  const together = findTogether(words, phrase);
  if (together !== null) {
    const isAll = together.start === 0 && together.end === words.length;
    return { ...together, strength: isAll ? 3 : 2 };
  }
  const telling = phrase.filter((word) => !SMALL_WORDS.has(word));
  // Of "I will be there" only one word is left, and "is there a bus" has it too.
  if (telling.length === 1 && sharedWords(words, phrase) < phrase.length * SHARED_MIN) return null;
  const scattered = findScattered(words, telling);
  return scattered === null ? null : { ...scattered, strength: 1 };
}

function sharedWords(words: readonly string[], phrase: readonly string[]): number {
  return phrase.filter((word) => words.some((said) => isSameWord(said, word))).length;
}

function findTogether(words: readonly string[], phrase: readonly string[]): { start: number; end: number } | null {
  for (let start = 0; start + phrase.length <= words.length; start += 1) {
    const isHere = phrase.every((word, index) => isSameWord(words[start + index] ?? "", word));
    if (isHere && !isNegated(words, start, phrase)) return { start, end: start + phrase.length };
  }
  return null;
}

/** The words that matter, in their order, with others between them. Also finds a phrase of one such word. */
function findScattered(words: readonly string[], phrase: readonly string[]): { start: number; end: number } | null {
  if (phrase.length === 0) return null;
  for (let start = 0; start < words.length; start += 1) {
    const end = followFrom(words, start, phrase);
    if (end !== null && !isNegated(words, start, phrase)) return { start, end };
  }
  return null;
}

function followFrom(words: readonly string[], start: number, phrase: readonly string[]): number | null {
  let at = start;
  for (const [index, word] of phrase.entries()) {
    const reach = index === 0 ? 1 : GAP_MAX + 1;
    const step = words.slice(at, at + reach).findIndex((said) => isSameWord(said, word));
    // "I will not come" has all the words of "I will come", and means the opposite.
    const between = words.slice(at, at + Math.max(0, step));
    if (step < 0 || between.some((said) => NEGATIONS.has(said))) return null;
    at += step + 1;
  }
  return at;
}

function isNegated(words: readonly string[], start: number, phrase: readonly string[]): boolean {
  if (phrase.some((word) => NEGATIONS.has(word))) return false;
  return words.slice(Math.max(0, start - NEGATION_REACH), start).some((word) => NEGATIONS.has(word));
}
