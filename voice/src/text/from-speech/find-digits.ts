import { isPronoun } from "./find-number.ts";
import { type Found, foundAt, type Reading } from "./found.ts";
import { readDigits } from "./read-digits.ts";
import { type Word, wordsOf } from "./words.ts";

interface DigitsWanted {
  /** How many digits it should have, where that is known. It decides between readings. */
  readonly length?: number;
}

/** The longest row of digits in a text. The value keeps its zeros, so it is a string. */
export function findDigits(text: string, { length }: DigitsWanted = {}): Found<string> | null {
  const words = wordsOf(text);
  const found = longestDigits(words);
  if (found === null) return null;
  const { at, reading } = found;
  return foundAt(words, at, length === undefined ? reading : preferLength(reading, length));
}

/** Where the row with the most digits is. The first one wins among equals. */
export function longestDigits(words: readonly Word[]): { at: number; reading: Reading<string> } | null {
  let best: { at: number; reading: Reading<string> } | null = null;
  for (let at = 0; at < words.length; ) {
    const reading = readRow(words, at);
    if (reading !== null && reading.value.length > (best?.reading.value.length ?? 0)) best = { at, reading };
    at = reading?.next ?? at + 1;
  }
  return best;
}

function readRow(words: readonly Word[], at: number): Reading<string> | null {
  const reading = readDigits(words, at);
  if (reading === null || isPronoun(words, at, reading.next)) return null;
  const isExclamation =
    /^oh?$/.test(words[at]?.text ?? "") && (reading.next === at + 1 || words[at + 1]?.gap !== "space");
  return isExclamation ? null : reading;
}

function preferLength(reading: Reading<string>, length: number): Reading<string> {
  const all = [reading.value, ...reading.others];
  const fitting = all.find((digits) => digits.length === length);
  if (fitting === undefined) return reading;
  return { ...reading, value: fitting, others: all.filter((digits) => digits !== fitting) };
}
