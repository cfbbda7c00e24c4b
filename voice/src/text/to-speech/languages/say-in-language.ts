import { FRENCH } from "./french.ts";
import { ITALIAN } from "./italian.ts";
import { PORTUGUESE } from "./portuguese.ts";
import { SPANISH } from "./spanish.ts";
import type { WrittenWords } from "./written-words.ts";

const LANGUAGES: ReadonlyMap<string, WrittenWords> = new Map([
  ["es", SPANISH],
  ["fr", FRENCH],
  ["it", ITALIAN],
  ["pt", PORTUGUESE],
]);

/** The words of a language other than English, by its BCP 47 tag. Null if there are none. */
export function writtenWordsOf(language: string): WrittenWords | null {
  return LANGUAGES.get(language.toLowerCase().split("-")[0] ?? "") ?? null;
}

type Replacement = readonly [pattern: RegExp, say: (words: WrittenWords, ...groups: string[]) => string | null];

/** Figures as they are written in these languages: a comma before the decimals, points or spaces between thousands. */
const NUMBER = "(?:\\d{1,3}(?:[.\\u00a0\\u202f ]\\d{3})+|\\d+)";
const SIGN = "US\\$|R\\$|[€$£]|EUR|USD|GBP|CHF|BRL|MXN";
/** Not in the middle of a number or of a code. */
const START = "(?<![\\p{L}\\d.,/:-])";
const END = "(?![\\p{L}\\d]|[.,:/-]\\d)";
/** Longer numbers are said digit by digit: they are hard to follow otherwise. */
const DIGITS_MAX = 9;

/** In this order, and each on what the others left. */
const REPLACEMENTS: readonly Replacement[] = [
  // Addresses of mail and of sites.
  [/[\p{L}\d][\p{L}\d._+-]*@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu, (words, address) => spelledAddress(address ?? "", words)],
  [
    /(?:https?:\/\/)?www\.[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu,
    (words, address) => spelledAddress((address ?? "").replace(/^https?:\/\//, ""), words),
  ],
  // Days: 2026-03-05, 5/3/2026, 05.03.2026.
  [
    /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g,
    (words, _, year = "", month = "", day = "") => dateWords(words, day, month, year),
  ],
  [
    /(?<![\d/.])(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)/g,
    (words, _, day = "", month = "", year = "") => dateWords(words, day, month, year),
  ],
  [/(?<![\d/])(\d{1,2})\/(\d{1,2})(?![\d/])/g, (words, _, day = "", month = "") => dateWords(words, day, month, null)],
  // Times: 15:30, 15h30, 15 h.
  [
    /(?<![\d:])([01]?\d|2[0-4])(?::|\s?h\s?)([0-5]\d)(?![\d:])(?:\s?h(?:s|oras|eures)?\b)?/gu,
    (words, _, hour = "", minute = "") => words.time(Number(hour), Number(minute)),
  ],
  [/(?<![\d:.,])([01]?\d|2[0-4])\s?h(?:s|rs)?\b(?!\p{L})/gu, (words, _, hour = "") => words.time(Number(hour), 0)],
  // Telephone numbers.
  [/\+\d[\d ().-]{6,20}\d/g, (words, phone = "") => `${words.words.plus} ${phoneWordsIn(words, phone)}`],
  [
    /(?<![\d.,])(?:\(?0\d{1,3}\)?|\d{2,3})(?:[ -]\d{2,4}){2,5}(?![\d,])/g,
    (words, phone = "") =>
      /^\d{1,3}( \d{3})+$/.test(phone) && !phone.startsWith("0") && phone.length < 9
        ? null
        : phoneWordsIn(words, phone),
  ],
  // Amounts.
  [
    new RegExp(`(${SIGN})\\s?(${NUMBER})(?:[.,](\\d{2}))?(?!\\d)`, "gu"),
    (words, _, sign = "", whole = "", cents = "") => moneyWords(words, sign, whole, cents),
  ],
  [
    new RegExp(`(?<![\\d.,])(${NUMBER})(?:[.,](\\d{2}))?\\s?(${SIGN})(?!\\p{L})`, "gu"),
    (words, _, whole = "", cents = "", sign = "") => moneyWords(words, sign, whole, cents),
  ],
  // Ordinals, shares, units.
  [
    /(?<![\p{L}\d])(\d{1,2})(º|ª|°(?!C)|er|re|ère|e|ème|ème)(?![\p{L}\d])/gu,
    (words, _, number = "", ending = "") => words.ordinal(Number(number), ending),
  ],
  [
    new RegExp(`${START}(-?)(${NUMBER})(?:,(\\d+))?\\s?%`, "gu"),
    (words, _, minus = "", whole = "", fraction = "") =>
      `${minusWords(words, minus)}${decimalWords(words, whole, fraction)} ${words.words.percent}`,
  ],
  [
    new RegExp(`${START}(-?)(${NUMBER})(?:,(\\d+))?\\s?(km|kg|cm|mm|min|°C|m|g|l)(?![\\p{L}\\d])`, "gu"),
    (words, _, minus = "", whole = "", fraction = "", unit = "") => {
      const [one, many] = words.units[unit] ?? [unit, unit];
      const noun = fraction === "" && numberOf(whole) === 1 ? one : many;
      return `${minusWords(words, minus)}${decimalWords(words, whole, fraction, noun)} ${noun}`;
    },
  ],
  // Spans, decimals and whole numbers.
  [
    new RegExp(`${START}(\\d{1,4})\\s?[-–]\\s?(\\d{1,4})${END}`, "gu"),
    (words, _, from = "", until = "") => `${wholeWords(words, from)} ${words.words.to} ${wholeWords(words, until)}`,
  ],
  [
    new RegExp(`${START}(-?)(${NUMBER}),(\\d+)${END}`, "gu"),
    (words, _, minus = "", whole = "", fraction = "") =>
      minusWords(words, minus) + decimalWords(words, whole, fraction),
  ],
  [
    new RegExp(`${START}(-?)(${NUMBER})(?=(?: (\\p{L}+))?)${END}`, "gu"),
    (words, _, minus = "", whole = "", following = "") =>
      minusWords(words, minus) + wholeWords(words, whole, following || undefined),
  ],
  // What is left, such as codes, digit by digit.
  [/\d+/g, (words, digits = "") => ` ${digitsIn(words, digits)} `],
  [/\s?&\s?/g, (words) => ` ${words.words.and} `],
  [/ = /g, (words) => ` ${words.words.equals} `],
  [/ [–—] /g, () => ", "],
];

/** A text with its figures, abbreviations and signs in words. Ordinary words stay as they are. */
export function sayInLanguage(text: string, words: WrittenWords): string {
  const expanded = expandAbbreviations(text, words);
  const spoken = REPLACEMENTS.reduce(
    (current, [pattern, say]) =>
      current.replace(
        pattern,
        (...found) =>
          say(
            words,
            ...(found
              .filter((group) => typeof group !== "number" && typeof group !== "object")
              .slice(0, -1) as string[]),
          ) ?? (found[0] as string),
      ),
    expanded,
  );
  return spoken
    .replace(/ {2,}/g, " ")
    .replace(/ +([,.;])/g, "$1")
    .trim() === ""
    ? text
    : spaced(text, spoken);
}

/** Without the double spaces of replacements, and with the white space that the text had at its ends. */
function spaced(text: string, spoken: string): string {
  const inner = spoken
    .replace(/ {2,}/g, " ")
    .replace(/ +([,.;])/g, "$1")
    .trim();
  return (/^\s+/.exec(text)?.[0] ?? "") + inner + (/\s+$/.exec(text)?.[0] ?? "");
}

/** "four one five" in the words of a language. */
export function digitsIn(words: WrittenWords, digits: string): string {
  return Array.from(digits.replace(/\D/g, ""), (digit) => words.digits[Number(digit)] ?? digit).join(" ");
}

/** In groups as they are written; groups that are too long to follow are cut into threes. */
export function phoneWordsIn(words: WrittenWords, written: string): string {
  const groups = (written.match(/\d+/g) ?? []).flatMap((group) =>
    group.length > 4 ? (group.match(/\d{2,3}(?!\d$)|\d+/g) ?? [group]) : [group],
  );
  return groups
    .map((group) => (words.saysPairs && group.length === 2 ? pairWords(words, group) : digitsIn(words, group)))
    .join(", ");
}

function pairWords(words: WrittenWords, pair: string): string {
  return pair.startsWith("0") ? digitsIn(words, pair) : words.cardinal(Number(pair));
}

function expandAbbreviations(text: string, words: WrittenWords): string {
  const known = Object.keys(words.abbreviations).sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![\\p{L}\\d])(?:${known.map(escaped).join("|")})(?!\\p{L})`, "gu");
  return text.replace(pattern, (found: string, at: number) => {
    const isEnd = found.endsWith(".") && /^\s*$/.test(text.slice(at + found.length));
    return (words.abbreviations[found] ?? found) + (isEnd ? "." : "");
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

function numberOf(written: string): number {
  return Number(written.replace(/[^\d]/g, ""));
}

function wholeWords(words: WrittenWords, written: string, following?: string): string {
  const digits = written.replace(/[^\d]/g, "");
  if (digits.length > DIGITS_MAX || (digits.length > 1 && digits.startsWith("0"))) return digitsIn(words, digits);
  const isCounting = following !== undefined && words.uncounted?.has(following.toLowerCase()) !== true;
  return words.cardinal(Number(digits), isCounting ? following : undefined);
}

function decimalWords(words: WrittenWords, whole: string, fraction: string, following?: string): string {
  const start = wholeWords(words, whole, fraction === "" ? following : undefined);
  if (fraction === "") return start;
  const said =
    fraction.length <= 2 && !fraction.startsWith("0") ? words.cardinal(Number(fraction)) : digitsIn(words, fraction);
  return `${start} ${words.words.point} ${said}`;
}

function minusWords(words: WrittenWords, minus: string): string {
  return minus === "" ? "" : `${words.words.minus} `;
}

function dateWords(words: WrittenWords, day: string, month: string, year: string | null): string | null {
  const name = words.months[Number(month) - 1];
  const count = Number(day);
  if (name === undefined || count < 1 || count > 31) return null;
  return words.date(count, name, year === null ? null : words.cardinal(Number(year)));
}

function moneyWords(words: WrittenWords, sign: string, whole: string, cents: string): string {
  const [one, many] = words.currencies[sign] ?? [sign, sign];
  const count = numberOf(whole);
  const noun = count === 1 ? one : many;
  const hundredths = cents === "" || Number(cents) === 0 ? null : words.cardinal(Number(cents));
  return words.amount(wholeWords(words, whole, noun), noun, hundredths);
}

function spelledAddress(address: string, { words }: WrittenWords): string {
  return address
    .replace(
      /[@._+-]/g,
      (sign) => ` ${{ "@": words.at, ".": words.dot, _: words.underscore, "+": words.plus }[sign] ?? words.dash} `,
    )
    .replace(/(?<!\p{L})www(?!\p{L})/gu, "W W W")
    .replace(/ {2,}/g, " ");
}
