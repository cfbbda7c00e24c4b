import { SCALES } from "../number-names.ts";
import { certain, type Reading } from "./found.ts";
import { isPlainZero, numeralOf, readSmall } from "./small-numbers.ts";
import { isJoined, type Word } from "./words.ts";

const SCALE_SIZES: ReadonlyMap<string, number> = new Map([
  ...SCALES.map(({ name, size }) => [name, size] as const),
  ["thou", 1000],
  ["k", 1000],
  ["grand", 1000],
]);

/** "five", "a hundred and twenty", "two million three hundred thousand", "twenty-five hundred", "12 thousand". */
export function readCardinal(words: readonly Word[], at: number): Reading<number> | null {
  let total = 0;
  let next = at;
  let smallestScale = Number.POSITIVE_INFINITY;
  for (;;) {
    const group = readGroup(words, next > at ? skipAnd(words, next) : next);
    if (group === null || (next > at && group.value >= smallestScale)) break;
    const scale = isJoined(words[group.next]) ? SCALE_SIZES.get(words[group.next]?.text ?? "") : undefined;
    if (scale === undefined) {
      total += group.value;
      next = group.next;
      break;
    }
    if (scale >= smallestScale) break;
    total += Math.round(group.value * scale);
    smallestScale = scale;
    next = group.next + 1;
    if (!isJoined(words[next])) break;
  }
  return next === at ? null : certain(total, next);
}

/** Up to 999, and the hundreds that are counted beyond that: "twenty-five hundred". */
function readGroup(words: readonly Word[], at: number): Reading<number> | null {
  const numeral = numeralOf(words[at]);
  if (numeral !== null) return withHundred(words, certain(numeral, at + 1));
  if (isPlainZero(words[at])) return certain(0, at + 1);
  if (isOne(words, at)) return withHundred(words, certain(1, at + 1));
  const small = readSmall(words, at);
  return small === null ? null : withHundred(words, small);
}

function withHundred(words: readonly Word[], count: Reading<number>): Reading<number> {
  const hundred = words[count.next];
  if (hundred?.text !== "hundred" || !isJoined(hundred) || count.value >= 100 || !Number.isInteger(count.value)) {
    return count;
  }
  const start = count.next + 1;
  if (!isJoined(words[start])) return certain(count.value * 100, start);
  const rest = readSmall(words, skipAnd(words, start));
  return rest === null ? certain(count.value * 100, start) : certain(count.value * 100 + rest.value, rest.next);
}

/** "a hundred", "a thousand": only there does the article count. */
function isOne(words: readonly Word[], at: number): boolean {
  const [article, counted] = [words[at]?.text, words[at + 1]?.text ?? ""];
  return article === "a" && isJoined(words[at + 1]) && (counted === "hundred" || SCALE_SIZES.has(counted));
}

function skipAnd(words: readonly Word[], at: number): number {
  return words[at]?.text === "and" && isJoined(words[at]) && isJoined(words[at + 1]) ? at + 1 : at;
}
