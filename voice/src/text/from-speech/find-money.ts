import { readNumber } from "./find-number.ts";
import { certain, type Found, findFirst, type Reading } from "./found.ts";
import { readSmall } from "./small-numbers.ts";
import { isJoined, type Word, wordsOf } from "./words.ts";

export type SpokenCurrency = "USD" | "EUR" | "GBP";

export interface SpokenMoney {
  readonly currency: SpokenCurrency;
  /** Cents or pence, so that no fraction is lost. */
  readonly minorUnits: number;
}

export interface MoneyWanted {
  /** What is meant when no currency is said. Without it, a bare number is no amount. */
  readonly currency?: SpokenCurrency;
}

interface Unit {
  readonly currency: SpokenCurrency | null;
  readonly minorUnits: number;
}

const DOLLAR: Unit = { currency: "USD", minorUnits: 100 };
const EURO: Unit = { currency: "EUR", minorUnits: 100 };
const POUND: Unit = { currency: "GBP", minorUnits: 100 };
const PENNY: Unit = { currency: "GBP", minorUnits: 1 };
/** Of a dollar or a euro: what is meant by default decides. */
const CENT: Unit = { currency: null, minorUnits: 1 };
const GRAND: Unit = { currency: null, minorUnits: 100_000 };

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries({
    dollar: DOLLAR,
    dollars: DOLLAR,
    buck: DOLLAR,
    bucks: DOLLAR,
    euro: EURO,
    euros: EURO,
    pound: POUND,
    pounds: POUND,
    quid: POUND,
    cent: CENT,
    cents: CENT,
    penny: PENNY,
    pence: PENNY,
    grand: GRAND,
  }),
);
const SIGNS: Readonly<Record<string, SpokenCurrency>> = { $: "USD", "€": "EUR", "£": "GBP" };

/** The first amount of money: "twelve dollars and fifty cents", "twelve fifty", "$12.50", "two pounds fifty". */
export function findMoney(text: string, { currency }: MoneyWanted = {}): Found<SpokenMoney> | null {
  const words = wordsOf(text);
  const named = findFirst(words, (all, at) => readSigned(all, at) ?? readNamed(all, at, currency ?? "USD"));
  if (named !== null || currency === undefined) return named;
  return findFirst(words, (all, at) => readBare(all, at, currency));
}

function readSigned(words: readonly Word[], at: number): Reading<SpokenMoney> | null {
  const currency = SIGNS[words[at]?.text ?? ""];
  const amount = currency === undefined ? null : readNumber(words, at + 1);
  return currency === undefined || amount === null
    ? null
    : certain({ currency, minorUnits: hundredths(amount.value) }, amount.next);
}

function readNamed(words: readonly Word[], at: number, fallback: SpokenCurrency): Reading<SpokenMoney> | null {
  const amount = readCount(words, at);
  const unit = amount === null ? undefined : UNITS.get(words[amount.next]?.text ?? "");
  if (amount === null || unit === undefined) return null;
  const of = (minorUnits: number): SpokenMoney => ({ currency: unit.currency ?? fallback, minorUnits });
  const major = Math.round(amount.value * unit.minorUnits);
  const next = amount.next + 1;
  const minor = unit.minorUnits === 100 ? readMinor(words, next) : null;
  if (minor !== null) return certain(of(major + minor.value), minor.next);
  const pair = unit.minorUnits === 100 ? pairOf(words, at, amount) : null;
  return { value: of(major), others: pair === null ? [] : [of(hundredths(pair))], next };
}

/** Before a unit, "a" counts too: "a dollar fifty". */
function readCount(words: readonly Word[], at: number): Reading<number> | null {
  if (words[at]?.text === "a" && UNITS.has(words[at + 1]?.text ?? "")) return certain(1, at + 1);
  return readNumber(words, at);
}

/** "and fifty cents", "fifty cents" and plain "fifty" after the whole ones. */
function readMinor(words: readonly Word[], at: number): Reading<number> | null {
  const hasAnd = words[at]?.text === "and";
  const minor = isJoined(words[at]) || hasAnd ? readCount(words, hasAnd ? at + 1 : at) : null;
  if (minor === null || minor.value >= 100 || !Number.isInteger(minor.value)) return null;
  if (UNITS.get(words[minor.next]?.text ?? "")?.minorUnits === 1) return certain(minor.value, minor.next + 1);
  // "five dollars and two more" is no amount of 5.02, and "five dollars 3 times" is none of 5.03.
  return hasAnd || minor.value < 10 || readSmall(words, at) === null ? null : minor;
}

/** "twelve fifty" alone is 12.50 rather than 1250, but it may be either. */
function readBare(words: readonly Word[], at: number, currency: SpokenCurrency): Reading<SpokenMoney> | null {
  const amount = readNumber(words, at);
  if (amount === null || amount.value < 0) return null;
  const pair = pairOf(words, at, amount);
  const of = (value: number): SpokenMoney => ({ currency, minorUnits: hundredths(value) });
  if (pair === null) return certain(of(amount.value), amount.next);
  return { value: of(pair), others: [of(amount.value)], next: amount.next };
}

/** What two numbers in a row come to when the second one is cents, or null where there are no two. */
function pairOf(words: readonly Word[], at: number, amount: Reading<number>): number | null {
  const first = readSmall(words, at);
  const second = first === null || first.next >= amount.next ? null : readSmall(words, first.next);
  if (first === null || second === null || second.next !== amount.next || second.value < 10) return null;
  return first.value + second.value / 100;
}

function hundredths(value: number): number {
  return Math.round(value * 100);
}
