import { isPronoun } from "./find-number.ts";
import { type Found, foundAt, type Reading } from "./found.ts";
import { readDigits } from "./read-digits.ts";
import { type Word, wordsOf } from "./words.ts";

interface DigitsWanted {
  /** The expected number of digits, if known. It decides between readings. */
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

interface SpokenPhoneNumber {
  readonly digits: string;
  /** Whether the digits begin with a country code, because a plus was said before them. */
  readonly isInternational: boolean;
  readonly extension: string | null;
}

/** Local numbers have at least seven digits where people dictate them; E.164 allows fifteen. */
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;

/** A phone number as it is dictated: "plus one, four one five, five five five, oh one double oh, extension twelve". */
export function findPhoneNumber(text: string): Found<SpokenPhoneNumber> | null {
  const words = wordsOf(text);
  const found = longestDigits(words);
  if (found === null) return null;
  const { at, reading } = found;
  const fits = ({ length }: string) => length >= DIGITS_MIN && length <= DIGITS_MAX;
  const [digits, ...otherDigits] = [reading.value, ...reading.others].filter(fits);
  if (digits === undefined) return null;
  const isInternational = words[at - 1]?.text === "plus" || words[at - 1]?.text === "+";
  const hasExtension = words[reading.next]?.text === "extension" || words[reading.next]?.text === "ext";
  const extension = hasExtension ? readDigits(words, reading.next + 1) : null;
  const numberOf = (each: string) => ({ digits: each, isInternational, extension: extension?.value ?? null });
  return foundAt(words, isInternational ? at - 1 : at, {
    value: numberOf(digits),
    others: otherDigits.map(numberOf),
    next: extension?.next ?? reading.next,
  });
}
