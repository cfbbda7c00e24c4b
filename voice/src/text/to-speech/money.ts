import { cardinalWords, decimalWords, digitWords } from "./number-words.ts";
import { type SpeechRule, WORD_END } from "./speech-rule.ts";

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
    say: ({ groups }) => {
      const [, sign = "", low = "", highSign, high = "", scale, suffix, per] = groups;
      if (highSign !== undefined && highSign !== sign) return null;
      const highest = amountWords(high, CODE_OF_SIGN[sign.toUpperCase()] ?? "", scale, suffix);
      return highest === null ? null : `${decimalWords(withPoint(low))} to ${highest}${perWords(per)}`;
    },
  },
  {
    pattern: new RegExp(`([-−])?${SIGN}\\s?([-−])?${AMOUNT}${SCALE}${PER}`, "iy"),
    say: ({ groups }) => {
      const [, minus, sign = "", innerMinus, amount = "", scale, suffix, per] = groups;
      const words = amountWords(amount, CODE_OF_SIGN[sign.toUpperCase()] ?? "", scale, suffix);
      return words === null ? null : `${(minus ?? innerMinus) ? "minus " : ""}${words}${perWords(per)}`;
    },
  },
  {
    pattern: new RegExp(`${AMOUNT}${SCALE}\\s?${CODE}${WORD_END}${PER}`, "y"),
    say: ({ groups }) => {
      const [, amount = "", scale, suffix, code = "", per] = groups;
      const words = amountWords(amount, CODE_OF_SIGN[code] ?? code, scale, suffix);
      return words === null ? null : words + perWords(per);
    },
  },
  {
    pattern: new RegExp(`(USD|EUR|GBP|CAD|AUD|CHF|JPY)\\s?${AMOUNT}${SCALE}${PER}`, "y"),
    say: ({ groups }) => {
      const [, code = "", amount = "", scale, suffix, per] = groups;
      const words = amountWords(amount, code, scale, suffix);
      return words === null ? null : words + perWords(per);
    },
  },
];

function amountWords(written: string, code: string, scale?: string, suffix?: string): string | null {
  const currency = CURRENCIES[code];
  if (currency === undefined) return null;
  const amount = withPoint(written);
  const scaled = scale ?? SCALE_OF_SUFFIX[suffix?.toLowerCase() ?? ""];
  if (scaled !== undefined) return `${decimalWords(amount)} ${scaled.toLowerCase()} ${currency.many}`;
  const [whole = "0", fraction = ""] = amount.split(".");
  if (whole.length > 15) return `${digitWords(whole)} ${currency.many}`;
  const major = Number(whole);
  const minor = Number(fraction.padEnd(2, "0"));
  const majorWords = `${cardinalWords(major)} ${major === 1 ? currency.one : currency.many}`;
  if (minor === 0) return majorWords;
  if (currency.minorOne === null) return `${decimalWords(amount)} ${currency.many}`;
  const minorWords = `${cardinalWords(minor)} ${minor === 1 ? currency.minorOne : currency.minorMany}`;
  return major === 0 ? minorWords : `${majorWords} and ${minorWords}`;
}

/** "1,234.50" and "1.234,50" are the same amount; "1,234" is no decimal. */
function withPoint(amount: string): string {
  return /,\d{1,2}$/.test(amount) ? amount.replaceAll(".", "").replace(",", ".") : amount.replaceAll(",", "");
}

function perWords(period: string | undefined): string {
  return period === undefined ? "" : ` per ${PERIODS[period.toLowerCase()] ?? period.toLowerCase()}`;
}
