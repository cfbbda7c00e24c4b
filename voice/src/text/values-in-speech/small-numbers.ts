import { NAMES_OF_TENS, NAMES_TO_NINETEEN } from "../number-names.ts";
import { certain, type Reading } from "./found.ts";
import { isJoined, type Word } from "./words.ts";

const BELOW_TWENTY: ReadonlyMap<string, number> = new Map(NAMES_TO_NINETEEN.map((name, value) => [name, value]));
const TENS: ReadonlyMap<string, number> = new Map(
  NAMES_OF_TENS.flatMap((name, tens) => (tens < 2 ? [] : [[name, 10 * tens] as const])),
);
const ZERO_NAMES = new Set(["zero", "nought", "naught", "oh", "o"]);

/** 1 to 9 by name. */
export function unitOf(word: Word | undefined): number | null {
  const value = BELOW_TWENTY.get(word?.text ?? "");
  return value !== undefined && value >= 1 && value <= 9 ? value : null;
}

export function teenOf(word: Word | undefined): number | null {
  const value = BELOW_TWENTY.get(word?.text ?? "");
  return value !== undefined && value >= 10 ? value : null;
}

export function tensOf(word: Word | undefined): number | null {
  return TENS.get(word?.text ?? "") ?? null;
}

/** "zero", and "oh" as people say it between other digits. */
export function isZero(word: Word | undefined): boolean {
  return ZERO_NAMES.has(word?.text ?? "");
}

/** "zero" as a number of its own. "oh" is an exclamation there. */
export function isPlainZero(word: Word | undefined): boolean {
  return word?.text === "zero" || word?.text === "nought" || word?.text === "naught";
}

/** 1 to 99 as words: "seven", "twelve", "forty", "forty-two". */
export function readSmall(words: readonly Word[], at: number): Reading<number> | null {
  const word = words[at];
  const single = unitOf(word) ?? teenOf(word);
  if (single !== null) return certain(single, at + 1);
  const tens = tensOf(word);
  if (tens === null) return null;
  const unit = isJoined(words[at + 1]) ? unitOf(words[at + 1]) : null;
  return unit === null ? certain(tens, at + 1) : certain(tens + unit, at + 2);
}

/** A number that was written in digits: "5", "1,234", "3.5". */
export function numeralOf(word: Word | undefined): number | null {
  return word !== undefined && /^\d+(?:,\d{3})*(?:\.\d+)?$/.test(word.text)
    ? Number(word.text.replaceAll(",", ""))
    : null;
}
