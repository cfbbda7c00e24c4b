import { GRAMMAR } from "./grammar.ts";

const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const TEENS = [
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
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/** Expands a name of the grammar into a text; `words` are what `{word}` stands for. */
export function createExpander(random: () => number, words: readonly string[]): (name: string) => string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  return function expand(name: string): string {
    if (name === "word") return pick(words);
    if (name === "number")
      return random() < 0.4
        ? pick(DIGITS.slice(1))
        : random() < 0.5
          ? pick(TEENS)
          : `${pick(TENS)} ${pick(DIGITS.slice(1))}`;
    if (name === "digits")
      return Array.from(
        { length: 3 + Math.floor(random() * 5) },
        (_, at) => (at > 0 && at % 3 === 0 ? ", " : " ") + pick(DIGITS),
      )
        .join("")
        .trim();
    if (name === "letters")
      return Array.from({ length: 3 + Math.floor(random() * 4) }, () =>
        String.fromCharCode(65 + Math.floor(random() * 26)),
      ).join(", ");
    const entries = GRAMMAR[name];
    if (entries === undefined) throw new Error(`the grammar has no ${name}`);
    return pick(entries).replace(/\{(\w+)\}/g, (_, inner: string) => expand(inner));
  };
}

/** Mulberry32: small, and the same on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
