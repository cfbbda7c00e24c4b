import { longestDigits } from "./find-digits.ts";
import { type Found, foundAt } from "./found.ts";
import { readDigits } from "./read-digits.ts";
import { wordsOf } from "./words.ts";

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
