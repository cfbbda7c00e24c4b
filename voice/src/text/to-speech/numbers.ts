import { signedWords } from "./measures.ts";
import { cardinalWords, decimalWords, digitWords, ordinalWords } from "./number-words.ts";
import { type SpeechRule, type SpeechStyle, WORD_END } from "./speech-rule.ts";
import { spelledOut } from "./web-addresses.ts";

const PLAIN = "(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?";
/** No letter, digit or decimal may follow. */
const END = `${WORD_END}(?![.,]\\d)`;

/** After these words a number is a name, which people hear and write down digit by digit. */
const DIGITS_FOLLOW =
  /\b(?:(?:code|pin|zip|postcode|password|reference|ref|confirmation|serial|tracking|extension|ext|ending in|ends in)(?: (?:number|no\.?|code|id))?|(?:account|acct|order|ticket|case|id|invoice|policy|booking|flight|phone|card|member) (?:number|no\.?|id|code|#))(?: is)? ?[:#]? ?$/i;
/** After these, only when it is long: people order 12 pizzas. */
const LONG_DIGITS_FOLLOW =
  /(?:\b(?:account|acct|order|ticket|id|invoice|policy|booking|flight(?: [A-Z]{2})?) ?[:#]? ?|#)$/i;
const LONG_DIGITS = 4;
/** Digits in a row beyond this, without a comma, are a name rather than an amount. */
const AMOUNT_DIGITS_MAX = 6;
/** Digits in a row that one remembers without a pause. */
const DIGITS_PER_BREATH = 4;

const FRACTION_NAMES: Readonly<Record<number, readonly [one: string, many: string]>> = {
  2: ["half", "halves"],
  3: ["third", "thirds"],
  4: ["quarter", "quarters"],
  5: ["fifth", "fifths"],
  6: ["sixth", "sixths"],
  8: ["eighth", "eighths"],
  10: ["tenth", "tenths"],
};

export const NUMBERS: readonly SpeechRule[] = [
  {
    pattern: new RegExp(`(\\d{1,3}(?:,\\d{3})+|\\d{1,12})(?:st|nd|rd|th)${WORD_END}`, "iy"),
    say: ({ groups }) => ordinalWords(Number((groups[1] ?? "").replaceAll(",", ""))),
  },
  { pattern: /24\/7(?![\d/])/y, say: () => "twenty-four seven" },
  {
    pattern: /(?:(\d{1,3}) )?(\d{1,2})\/(\d{1,2})(?![\d/A-Za-z])/y,
    say: ({ groups }) => fractionWords(groups[1], Number(groups[2]), Number(groups[3])),
  },
  {
    pattern: new RegExp(`(${PLAIN})\\s?[-–]\\s?(${PLAIN})(?!-\\d)${END}`, "y"),
    say: ({ groups, before }) => {
      const [, low = "", high = ""] = groups;
      if (isNamed(before, low) || isName(low) || isName(high)) return null;
      return `${decimalWords(low)} to ${decimalWords(high)}`;
    },
  },
  {
    pattern: new RegExp(`(\\d+(?:[- ]\\d+)*)${END}`, "y"),
    say: ({ groups: [, digits = ""], before }) => (isNamed(before, digits) ? nameWords(digits) : null),
  },
  {
    pattern: new RegExp(`(\\d+(?:-\\d+)+)${END}`, "y"),
    say: ({ groups: [, digits = ""] }) => nameWords(digits),
  },
  {
    pattern: new RegExp(`(${PLAIN})\\s?(?:([kK])|(M)|(bn|B))${WORD_END}`, "y"),
    say: ({ groups: [, amount = "", thousand, million] }) =>
      `${decimalWords(amount)} ${thousand ? "thousand" : million ? "million" : "billion"}`,
  },
  {
    pattern: new RegExp(`([-−]?${PLAIN})${END}`, "y"),
    say: ({ groups: [, written = ""], before }) => {
      if (/^\d/.test(written)) return isName(written) ? nameWords(written) : decimalWords(written);
      // A dash that stands between two things is no sign.
      return /(?:^|[\s(])$/.test(before) ? signedWords(written) : null;
    },
  },
];

function isNamed(before: string, digits: string): boolean {
  return DIGITS_FOLLOW.test(before) || (digits.length >= LONG_DIGITS && LONG_DIGITS_FOLLOW.test(before));
}

/** Numbers that are not amounts: those that begin with a zero, and very long ones. */
function isName(written: string): boolean {
  return /^0\d/.test(written) || (/^\d+$/.test(written) && written.length > AMOUNT_DIGITS_MAX);
}

/** Says digits one by one, with a pause where one was written, or after every three or four. */
export function nameWords(digits: string): string {
  const groups = digits.split(/[- ]/).flatMap((group) => (group.length > DIGITS_PER_BREATH ? inBreaths(group) : group));
  return groups.map(digitWords).join(", ");
}

function inBreaths(digits: string): string[] {
  const groups: string[] = [];
  let rest = digits;
  while (rest.length > DIGITS_PER_BREATH) {
    groups.push(rest.slice(0, 3));
    rest = rest.slice(3);
  }
  return [...groups, rest];
}

function fractionWords(whole: string | undefined, numerator: number, denominator: number): string | null {
  const names = FRACTION_NAMES[denominator];
  if (names === undefined || numerator < 1 || numerator >= denominator) return null;
  const [one, many] = names;
  if (whole === undefined) return `${cardinalWords(numerator)} ${numerator === 1 ? one : many}`;
  return `${cardinalWords(Number(whole))} and ${numerator === 1 ? "a" : cardinalWords(numerator)} ${numerator === 1 ? one : many}`;
}

/** Letters and digits that belong together: "A12-45" is said "A, one two, four five". */
export const CODES: readonly SpeechRule[] = [
  {
    pattern: /[vV](\d{1,3}(?:\.\d{1,4})*)(?![A-Za-z0-9])/y,
    say: ({ groups }) => `version ${(groups[1] ?? "").split(".").map(partOfVersion).join(" point ")}`,
  },
  {
    pattern: /([A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*)(?![A-Za-z0-9'’])/y,
    say: ({ groups }) => {
      const [, code = ""] = groups;
      return /[A-Za-z]/.test(code) && /\d/.test(code) ? codeWords(code) : null;
    },
  },
];

/**
 * Says a code letter by letter and digit by digit, with a pause where it changes. Where a part of it is a word, the whole
 * is read: "24-hour" is "twenty-four hour".
 */
function codeWords(code: string): string {
  const parts = code.split(/[-/]/).flatMap((part) => part.match(/[A-Za-z]+|\d+/g) ?? []);
  const hasWord = parts.some(isWord);
  const words = parts.map((part) => {
    if (/^\d/.test(part))
      return hasWord && part.length < 4 && !part.startsWith("0") ? decimalWords(part) : digitWords(part);
    return isWord(part) ? part : spelledOut(part);
  });
  return words.join(hasWord || isShort(code) ? " " : ", ");
}

/** "5G" and "B2B" need no pause. After an "A" there is always one, or it would sound like the article. */
function isShort(code: string): boolean {
  return code.length <= 3 && !/A\d/i.test(code);
}

/** Four letters that can be read, or three in small ones: "COVID" and "day", and not "ABA" or "XKCD". */
function isWord(part: string): boolean {
  return /[aeiouy]/i.test(part) && (/^[A-Za-z]{4,}$/.test(part) || /^[a-z]{3}$/.test(part));
}

function partOfVersion(digits: string): string {
  return digits.startsWith("0") ? digitWords(digits) : cardinalWords(Number(digits));
}

interface Currency {
  readonly one: string;
  readonly many: string;
  /** A hundredth of it; null if there is none in use. */
  readonly minorOne: string | null;
  readonly minorMany: string | null;
}

const CURRENCIES: Readonly<Record<string, Currency>> = {
  USD: { one: "dollar", many: "dollars", minorOne: "cent", minorMany: "cents" },
  EUR: { one: "euro", many: "euros", minorOne: "cent", minorMany: "cents" },
  GBP: { one: "pound", many: "pounds", minorOne: "penny", minorMany: "pence" },
  CAD: { one: "Canadian dollar", many: "Canadian dollars", minorOne: "cent", minorMany: "cents" },
  AUD: { one: "Australian dollar", many: "Australian dollars", minorOne: "cent", minorMany: "cents" },
  CHF: { one: "Swiss franc", many: "Swiss francs", minorOne: "centime", minorMany: "centimes" },
  JPY: { one: "yen", many: "yen", minorOne: null, minorMany: null },
};

const CODE_OF_SIGN: Readonly<Record<string, string>> = {
  $: "USD",
  US$: "USD",
  CA$: "CAD",
  C$: "CAD",
  A$: "AUD",
  AU$: "AUD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
};

const SCALE_OF_SUFFIX: Readonly<Record<string, string>> = { k: "thousand", m: "million", b: "billion", bn: "billion" };

const PERIODS: Readonly<Record<string, string>> = { mo: "month", yr: "year", hr: "hour", wk: "week", min: "minute" };

const SIGN = "(US\\$|CA\\$|AU\\$|A\\$|C\\$|[$€£¥])";
const CODE = "(USD|EUR|GBP|CAD|AUD|CHF|JPY|€|£)";
/** With a point or a comma before the last two digits, and the other one between thousands. */
const AMOUNT =
  "(\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,2})?|\\d{1,3}(?:\\.\\d{3})+,\\d{2}|\\d+(?:[.,]\\d{1,2})?)(?!\\d|[.,]\\d)";
const SCALE = "(?:\\s?(thousand|million|billion|trillion)|(bn|[kmb])(?![A-Za-z0-9]))?";
const PER = "(?:\\s?/\\s?(month|mo|year|yr|hour|hr|day|week|wk|night|person|minute|min|unit)(?![A-Za-z]))?";

export const MONEY: readonly SpeechRule[] = [
  {
    pattern: new RegExp(`${SIGN}\\s?${AMOUNT}\\s?[-–]\\s?(?:${SIGN}\\s?)?${AMOUNT}${SCALE}${PER}`, "iy"),
    say: ({ groups, before }, style) => {
      const [, sign = "", low = "", highSign, high = "", scale, suffix, per] = groups;
      if (highSign !== undefined && highSign !== sign) return null;
      const code = CODE_OF_SIGN[sign.toUpperCase()] ?? "";
      const scaled = scale ?? suffix;
      const highest = amountWords(high, code, scaled);
      if (highest === null) return null;
      // With cents, both ends are amounts: "ten fifty to twelve dollars" and not "ten point five to twelve dollars".
      const hasCents = scaled === undefined && [low, high].some((amount) => partsOfAmount(amount).minor > 0);
      const each = (amount: string) =>
        (isPriced(sign, style) ? priceWords(amount, before) : null) ?? amountWords(amount, code);
      const lowest = decimalWords(withPoint(low).replace(/\.0+$/, ""));
      return `${hasCents ? `${each(low)} to ${each(high)}` : `${lowest} to ${highest}`}${perWords(per)}`;
    },
  },
  {
    pattern: new RegExp(`([-−])?${SIGN}\\s?([-−])?${AMOUNT}${SCALE}${PER}`, "iy"),
    say: ({ groups, before }, style) => {
      const [, minus, sign = "", innerMinus, amount = "", scale, suffix, per] = groups;
      const isNegative = (minus ?? innerMinus) !== undefined;
      const isPrice = isPriced(sign, style) && !isNegative && (scale ?? suffix) === undefined;
      const words =
        (isPrice ? priceWords(amount, before) : null) ??
        amountWords(amount, CODE_OF_SIGN[sign.toUpperCase()] ?? "", scale ?? suffix);
      return words === null ? null : `${isNegative ? "minus " : ""}${words}${perWords(per)}`;
    },
  },
  {
    pattern: new RegExp(`${AMOUNT}${SCALE}\\s?${CODE}${WORD_END}${PER}`, "y"),
    say: ({ groups }) => {
      const [, amount = "", scale, suffix, code = "", per] = groups;
      const words = amountWords(amount, CODE_OF_SIGN[code] ?? code, scale ?? suffix);
      return words === null ? null : words + perWords(per);
    },
  },
  {
    // As where a value is put into "{{price}} dollars".
    pattern: new RegExp(`${AMOUNT}\\s(dollars|euros)${WORD_END}`, "iy"),
    say: ({ groups }) => {
      const [, amount = "", name = ""] = groups;
      return partsOfAmount(amount).minor === 0 ? null : amountWords(amount, /^d/i.test(name) ? "USD" : "EUR");
    },
  },
  {
    pattern: new RegExp(`(USD|EUR|GBP|CAD|AUD|CHF|JPY)\\s?${AMOUNT}${SCALE}${PER}`, "y"),
    say: ({ groups }) => {
      const [, code = "", amount = "", scale, suffix, per] = groups;
      const words = amountWords(amount, code, scale ?? suffix);
      return words === null ? null : words + perWords(per);
    },
  },
];

/** An amount in full: "twelve dollars and fifty cents". */
function amountWords(written: string, code: string, scale?: string): string | null {
  const currency = CURRENCIES[code];
  if (currency === undefined) return null;
  if (scale !== undefined) return `${decimalWords(withPoint(written))} ${scaleWords(scale)} ${currency.many}`;
  const { whole, major, minor } = partsOfAmount(written);
  if (whole.length > 15) return `${digitWords(whole)} ${currency.many}`;
  const majorWords = `${cardinalWords(major)} ${major === 1 ? currency.one : currency.many}`;
  if (minor === 0) return majorWords;
  if (currency.minorOne === null) return `${decimalWords(withPoint(written))} ${currency.many}`;
  const minorWords = `${cardinalWords(minor)} ${minor === 1 ? currency.minorOne : currency.minorMany}`;
  return major === 0 ? minorWords : `${majorWords} and ${minorWords}`;
}

/** Larger prices are said in full: "one twelve fifty" is hard to follow. */
const PRICE_DOLLARS_MAX = 99;
/** With fewer dollars and less than ten cents the short form is heard as a time or a number: "nine oh five". */
const FEW_CENTS_DOLLARS_MIN = 10;
/**
 * Money that is owed, paid or transferred is said in full, because "your balance of twelve fifty" can be heard as 1,250 dollars. The words must be in
 * the same sentence, before the amount.
 */
const OWED =
  /\b(?:ow(?:e|es|ed|ing)|balance|debts?|due|overdue|outstanding|unpaid|arrears|paid|pay(?:s|ments?|ing)?|bill(?:ed)?|invoices?|refund(?:s|ed)?|credit(?:s|ed)?|charged?|deposit(?:s|ed)?|withdr[ae]w(?:als?|n)?|transfer(?:s|red)?|sen[dt])\b(?:[^.!?;]|[.!?;](?=\S))*$/i;
/** After these the short form is heard as a time of day: "at twelve thirty". */
const BEFORE_TIMES = /\b(?:at|by|until|till|before|after|around|about|since|from|between) $/i;
const DETERMINER = /\b(?:an?|the|this|that|your|our|my|his|her|their|each|every|another) $/i;

/** In America, "$" needs no name. "US$" and "USD" were written to name the currency. */
function isPriced(sign: string, { isDayFirst }: SpeechStyle): boolean {
  return sign === "$" && !isDayFirst;
}

/** An American price as people say it, "twelve fifty"; null for one that is said in full. */
function priceWords(written: string, before: string): string | null {
  const { whole, major, minor } = partsOfAmount(written);
  if (whole.length > 2 || major < 1 || major > PRICE_DOLLARS_MAX || minor === 0) return null;
  if (minor < 10 && major < FEW_CENTS_DOLLARS_MIN) return null;
  if (OWED.test(before)) return null;
  if (major <= 12 && minor < 60 && BEFORE_TIMES.test(before)) return null;
  const cents = minor < 10 ? `oh ${cardinalWords(minor)}` : cardinalWords(minor);
  if (major === 1) return `${DETERMINER.test(before) ? "" : "a "}dollar ${cents}`;
  return `${cardinalWords(major)} ${cents}`;
}

function partsOfAmount(written: string): { readonly whole: string; readonly major: number; readonly minor: number } {
  const [whole = "0", fraction = ""] = withPoint(written).split(".");
  return { whole, major: Number(whole), minor: Number(fraction.padEnd(2, "0")) };
}

function scaleWords(scale: string): string {
  return SCALE_OF_SUFFIX[scale.toLowerCase()] ?? scale.toLowerCase();
}

/** "1,234.50" and "1.234,50" are the same amount; "1,234" is no decimal. */
function withPoint(amount: string): string {
  return /,\d{1,2}$/.test(amount) ? amount.replaceAll(".", "").replace(",", ".") : amount.replaceAll(",", "");
}

function perWords(period: string | undefined): string {
  return period === undefined ? "" : ` per ${PERIODS[period.toLowerCase()] ?? period.toLowerCase()}`;
}
