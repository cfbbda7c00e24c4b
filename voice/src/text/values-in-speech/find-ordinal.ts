import { NAMES_OF_TENS, NAMES_TO_NINETEEN, ordinalOf, SCALES } from "../number-names.ts";
import { certain, type Found, findFirst, type Reading } from "./found.ts";
import { readCardinal } from "./read-cardinal.ts";
import { isJoined, type Word, wordsOf } from "./words.ts";

/** From "third" to "three". */
const CARDINAL_OF_ORDINAL: ReadonlyMap<string, string> = new Map(
  [...NAMES_TO_NINETEEN, ...NAMES_OF_TENS, "hundred", ...SCALES.map(({ name }) => name)].map((name) => [
    ordinalOf(name),
    name,
  ]),
);

/** More words than any spoken ordinal has. */
const WORDS_MAX = 24;

/** The first ordinal in a text: "third", "twenty-first", "3rd". */
export function findOrdinal(text: string): Found<number> | null {
  return findFirst(wordsOf(text), readOrdinal);
}

/** An ordinal is a number whose last word alone is not a cardinal. */
export function readOrdinal(words: readonly Word[], at: number): Reading<number> | null {
  const written = /^(\d+)(?:st|nd|rd|th)$/.exec(words[at]?.text ?? "");
  if (written !== null) return certain(Number(written[1]), at + 1);
  for (let last = at; last < Math.min(words.length, at + WORDS_MAX); last++) {
    if (last > at && !isJoined(words[last])) return null;
    const word = words[last];
    const cardinal = CARDINAL_OF_ORDINAL.get(word?.text ?? "");
    if (word === undefined || cardinal === undefined) continue;
    const asCardinal = [...words.slice(at, last), { ...word, text: cardinal }];
    // "hundredth" alone is the ordinal of a hundred, which as a cardinal would need a count.
    if (last === at && /^(?:hundred|thousand|[a-z]+illion)$/.test(cardinal)) return null;
    const reading = readCardinal(asCardinal, 0);
    return reading !== null && reading.next === asCardinal.length ? certain(reading.value, last + 1) : null;
  }
  return null;
}
