import { certain, type Found, findFirst, foundAt, type Reading } from "./found.ts";
import { readCardinal } from "./read-cardinal.ts";
import { isZero, numeralOf, readSmall, teenOf, tensOf, unitOf } from "./small-numbers.ts";
import { isJoined, saysAt, type Word, wordsOf } from "./words.ts";

/** What a single word stands for when it is the whole utterance and sounds like a number. */
const SOUND_ALIKES: Readonly<Record<string, number>> = { won: 1, to: 2, too: 2, for: 4, ate: 8 };

/** In "this one" and "no one" nothing is counted. */
const BEFORE_PRONOUN = new Set([
  "this",
  "that",
  "the",
  "no",
  "which",
  "any",
  "every",
  "some",
  "another",
  "last",
  "other",
]);

const PARTS: readonly (readonly [phrase: readonly string[], value: number])[] = [
  [["three", "quarters"], 0.75],
  [["a", "half"], 0.5],
  [["one", "half"], 0.5],
  [["half"], 0.5],
  [["a", "quarter"], 0.25],
  [["one", "quarter"], 0.25],
];

/** Amounts that have a name of their own. */
const NOTES: Readonly<Record<string, number>> = { fiver: 5, "fiver's": 5, tenner: 10, "tenner's": 10 };

/** The first number in a text, as words or digits. If two are offered ("two or three"), the second is the alternative. */
export function findNumber(text: string): Found<number> | null {
  const words = wordsOf(text);
  const [only] = words;
  const alike = words.length === 1 ? SOUND_ALIKES[only?.text ?? ""] : undefined;
  if (alike !== undefined) return foundAt(words, 0, certain(alike, 1));
  return findFirst(words, readOffer);
}

function readOffer(words: readonly Word[], at: number): Reading<number> | null {
  const first = readNumber(words, at);
  if (first === null || isPronoun(words, at, first.next)) return null;
  const isOffer = words[first.next]?.text === "or" || words[first.next]?.text === "maybe";
  const second = isOffer ? readNumber(words, first.next + 1) : null;
  return second === null ? first : { ...first, others: [...first.others, second.value], next: second.next };
}

/** Also negative numbers, decimals, halves and dozens: "minus two point five", "three and a half". */
export function readNumber(words: readonly Word[], at: number): Reading<number> | null {
  if (words[at]?.text === "minus" || words[at]?.text === "negative") {
    const positive = readNumber(words, at + 1);
    return positive === null
      ? null
      : { ...positive, value: -positive.value, others: positive.others.map((value) => -value) };
  }
  const part = readPart(words, at);
  if (part !== null) return part;
  if (words[at]?.text === "point") return readDecimals(words, certain(0, at));
  const base = readDigitRun(words, at) ?? readPair(words, at) ?? readCardinal(words, at) ?? readDozen(words, at);
  if (base === null) return null;
  return readDecimals(words, base) ?? readWithPart(words, base) ?? readDozens(words, base);
}

/** "one two three" is a number to people who were asked for one. */
function readDigitRun(words: readonly Word[], at: number): Reading<number> | null {
  let digits = "";
  let next = at;
  for (; next === at || isJoined(words[next]); next++) {
    const unit = unitOf(words[next]);
    if (unit === null && !(isZero(words[next]) && next > at)) break;
    digits += unit ?? 0;
  }
  if (isJoined(words[next]) && (words[next]?.text === "hundred" || readSmall(words, next) !== null)) return null;
  return digits.length > 1 ? certain(Number(digits), next) : null;
}

/** "nineteen eighty-four", "two oh five", and "one fifty", which may be a hundred and fifty or one point five. */
function readPair(words: readonly Word[], at: number): Reading<number> | null {
  const first = readSmall(words, at);
  if (first === null || !isJoined(words[first.next])) return null;
  const hundreds = first.value >= 10 ? unitOf(words[first.next]) : null;
  if (hundreds !== null && words[first.next + 1]?.text === "hundred" && isJoined(words[first.next + 1])) {
    // "forty-seven three hundred", as people read mileages and prices.
    return certain(first.value * 1000 + hundreds * 100, first.next + 2);
  }
  const second = readSecondOfPair(words, first.next);
  if (second === null || isScale(words[second.next])) return null;
  const value = first.value * 100 + second.value;
  return { value, next: second.next, others: first.value < 10 ? [first.value + second.value / 100] : [] };
}

function readSecondOfPair(words: readonly Word[], at: number): Reading<number> | null {
  if (isZero(words[at])) {
    const unit = isJoined(words[at + 1]) ? unitOf(words[at + 1]) : null;
    return unit === null ? null : certain(unit, at + 2);
  }
  return teenOf(words[at]) === null && tensOf(words[at]) === null ? null : readSmall(words, at);
}

function isScale(word: Word | undefined): boolean {
  return isJoined(word) && /^(?:hundred|thousand|million|billion|trillion)$/.test(word?.text ?? "");
}

function readDecimals(words: readonly Word[], whole: Reading<number>): Reading<number> | null {
  if (words[whole.next]?.text !== "point") return null;
  let digits = "";
  let next = whole.next + 1;
  for (; ; next++) {
    const numeral = numeralOf(words[next]);
    const digit = isZero(words[next]) ? 0 : (unitOf(words[next]) ?? numeral);
    if (digit === null || !Number.isInteger(digit)) break;
    digits += digit;
  }
  if (digits === "") {
    const small = readSmall(words, next);
    if (small === null) return null;
    digits = String(small.value);
    next = small.next;
  }
  const value = Number(`${whole.value}.${digits}`);
  const scale = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 }[words[next]?.text ?? ""];
  return scale === undefined ? certain(value, next) : certain(Math.round(value * scale), next + 1);
}

function readWithPart(words: readonly Word[], whole: Reading<number>): Reading<number> | null {
  if (words[whole.next]?.text !== "and" || whole.others.length > 0) return null;
  const part = readPart(words, whole.next + 1);
  return part === null ? null : certain(whole.value + part.value, part.next);
}

function readPart(words: readonly Word[], at: number): Reading<number> | null {
  const part = PARTS.find(([phrase]) => saysAt(words, at, phrase));
  // "half past two" and "half of them" are not amounts.
  if (part === undefined || /^(?:past|after|to|till|of|an|a)$/.test(words[at + part[0].length]?.text ?? ""))
    return null;
  return certain(part[1], at + part[0].length);
}

function readDozen(words: readonly Word[], at: number): Reading<number> | null {
  if (saysAt(words, at, ["half", "a", "dozen"])) return certain(6, at + 3);
  const note = NOTES[words[at]?.text ?? ""];
  if (note !== undefined) return certain(note, at + 1);
  if (saysAt(words, at, ["half", "a", "hundred"])) return certain(50, at + 3);
  if (saysAt(words, at, ["half", "a", "thousand"])) return certain(500, at + 3);
  if (saysAt(words, at, ["a", "pair"])) return certain(2, at + 2);
  if (saysAt(words, at, ["a", "dozen"])) return certain(12, at + 2);
  return saysAt(words, at, ["a", "couple"]) ? certain(2, at + 2) : null;
}

function readDozens(words: readonly Word[], count: Reading<number>): Reading<number> {
  return words[count.next]?.text === "dozen" ? certain(12 * count.value, count.next + 1) : count;
}

/** Whether what was read is the pronoun and no number. */
export function isPronoun(words: readonly Word[], at: number, next: number): boolean {
  return (
    next === at + 1 && words[at]?.text === "one" && isJoined(words[at]) && BEFORE_PRONOUN.has(words[at - 1]?.text ?? "")
  );
}
