/** The names of 0 to 19, each at its own place. */
export const NAMES_TO_NINETEEN: readonly string[] = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
];

/** The names of the tens, each at the place of its tens digit. The first two are never used. */
export const NAMES_OF_TENS: readonly string[] = [
  "zero",
  "ten",
  "twenty",
  "thirty",
  "forty",
  "fifty",
  "sixty",
  "seventy",
  "eighty",
  "ninety",
];

/** Largest first, as they are spoken. */
export const SCALES: readonly { readonly name: string; readonly size: number }[] = [
  { name: "trillion", size: 1e12 },
  { name: "billion", size: 1e9 },
  { name: "million", size: 1e6 },
  { name: "thousand", size: 1e3 },
];

/** Ordinals that do not just add "th". */
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};

/** "four" becomes "fourth" and "twenty" becomes "twentieth". */
export function ordinalOf(name: string): string {
  return IRREGULAR_ORDINALS[name] ?? (name.endsWith("y") ? `${name.slice(0, -1)}ieth` : `${name}th`);
}
