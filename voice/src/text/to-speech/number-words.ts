import { NAMES_OF_TENS, NAMES_TO_NINETEEN, ordinalOf, SCALES } from "../number-names.ts";

/** Larger numbers are read digit by digit: listeners cannot follow quadrillions, and doubles lose precision there. */
const SPOKEN_MAX = 1e15;

/** "one thousand two hundred thirty-four". Whole numbers. */
export function cardinalWords(value: number): string {
  if (value < 0) return `minus ${cardinalWords(-value)}`;
  if (value >= SPOKEN_MAX) return digitWords(value.toLocaleString("en-US", { useGrouping: false }));
  if (value === 0) return nameOf(NAMES_TO_NINETEEN, 0);
  const parts: string[] = [];
  let rest = value;
  for (const { name, size } of SCALES) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${belowThousand(count)} ${name}`);
    rest %= size;
  }
  if (rest > 0) parts.push(belowThousand(rest));
  return parts.join(" ");
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds === 0) return belowHundred(rest);
  const start = `${nameOf(NAMES_TO_NINETEEN, hundreds)} hundred`;
  return rest === 0 ? start : `${start} ${belowHundred(rest)}`;
}

function belowHundred(value: number): string {
  if (value < 20) return nameOf(NAMES_TO_NINETEEN, value);
  const tens = nameOf(NAMES_OF_TENS, Math.floor(value / 10));
  return value % 10 === 0 ? tens : `${tens}-${nameOf(NAMES_TO_NINETEEN, value % 10)}`;
}

/** "twenty-first". Only the last word of a number shows that it is an ordinal. */
export function ordinalWords(value: number): string {
  const words = cardinalWords(value);
  const start = Math.max(words.lastIndexOf(" "), words.lastIndexOf("-")) + 1;
  return words.slice(0, start) + ordinalOf(words.slice(start));
}

/** "four one five". Anything that is not a digit is skipped. */
export function digitWords(digits: string): string {
  return Array.from(digits.replace(/\D/g, ""), (digit) => nameOf(NAMES_TO_NINETEEN, Number(digit))).join(" ");
}

/** "three point one four", from how it is written with a point, because the written zeros are spoken. */
export function decimalWords(written: string): string {
  const [whole = "0", fraction] = written.replaceAll(",", "").split(".");
  const start = whole.length > 15 ? digitWords(whole) : cardinalWords(Number(whole || "0"));
  return fraction ? `${start} point ${digitWords(fraction)}` : start;
}

/** "nineteen ninety-nine", "two thousand five", "twenty twenty-six". */
export function yearWords(year: number): string {
  const century = Math.floor(year / 100);
  const rest = year % 100;
  if (year < 1000 || year > 9999 || year % 1000 < 10) return cardinalWords(year);
  if (rest === 0) return `${belowHundred(century)} hundred`;
  return `${belowHundred(century)} ${rest < 10 ? `oh ${belowHundred(rest)}` : belowHundred(rest)}`;
}

function nameOf(names: readonly string[], value: number): string {
  const name = names[value];
  if (name === undefined) throw new RangeError(`${value} has no name`);
  return name;
}
