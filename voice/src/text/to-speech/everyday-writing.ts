import { MONTH_NAMES, WEEKDAY_NAMES } from "@parley/flow/calendar";
import { cardinalWords, decimalWords, digitWords, ordinalWords, yearWords } from "./number-words.ts";
import { type SpeechRule, WORD_END } from "./speech-rule.ts";

const WEEKDAY = "(Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)";
const MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)";
const ROMAN: readonly string[] = "_ I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split(" ");
/** After these a Roman numeral counts; after a name it is an ordinal: "World War two", "Henry the eighth". */
const COUNTED =
  /\b(?:War|Chapter|Part|Section|Volume|Vol\.|Act|Phase|Type|Stage|Level|Title|Article|Class|Grade|Step|Book|Bowl) $/;
const NAMED = /(?:^|[\s(])[A-Z][a-z]{2,} $/;
const UNITS_AFTER_DASH: Readonly<Record<string, string>> = {
  min: "minute",
  hr: "hour",
  sec: "second",
  yr: "year",
  wk: "week",
  mo: "month",
  ft: "foot",
  lb: "pound",
  oz: "ounce",
};

/** Short forms that people write every day and say in full. */
export const EVERYDAY_WRITING: readonly SpeechRule[] = [
  {
    pattern: new RegExp(`${WEEKDAY}\\.?\\s?([-–/&])\\s?${WEEKDAY}${WORD_END}\\.?(?![A-Za-z])`, "y"),
    say: ({ groups: [, first = "", sign, second = ""] }) =>
      `${weekday(first)} ${sign === "-" || sign === "–" ? "to" : "and"} ${weekday(second)}`,
  },
  {
    pattern: new RegExp(`${WEEKDAY}(?= (?:at|from|until|till|morning|afternoon|evening|night)\\b)`, "y"),
    say: ({ groups }) => weekday(groups[1] ?? ""),
  },
  {
    pattern: new RegExp(`${MONTH}\\.?\\s?[-–]\\s?${MONTH}${WORD_END}(?! \\d)`, "y"),
    say: ({ groups: [, first = "", second = ""] }) => `${month(first)} to ${month(second)}`,
  },
  { pattern: /M-F(?![A-Za-z])/y, say: () => "Monday to Friday" },
  {
    pattern: /Q([1-4]) ((?:19|20)\d{2})(?![\d-])/y,
    say: ({ groups }) => `Q ${cardinalWords(Number(groups[1]))} ${yearWords(Number(groups[2]))}`,
  },
  {
    pattern: /(20\d{2})\/(\d{2})(?![\d/])/y,
    say: ({ groups }) => `${yearWords(Number(groups[1]))} to ${cardinalWords(Number(groups[2]))}`,
  },
  {
    pattern: /(early|mid|late)-(1[89]|20)(\d)0s(?![A-Za-z0-9])/iy,
    say: ({ groups: [, part = "", century, tens] }) =>
      `${part} ${cardinalWords(Number(century))} ${Number(tens) === 0 ? "hundreds" : cardinalWords(10 * Number(tens)).replace(/y$/, "ies")}`,
  },
  { pattern: /(noon|midnight)\s?[-–]\s?(?=\d)/iy, say: ({ groups }) => `${groups[1]} to ` },
  {
    pattern: /[-–](?=(?:noon|midnight)\b)/y,
    say: ({ before }) => (/[AP] ?M$|[ap]\.?m\.?$|\d$/i.test(before) ? " to " : null),
  },
  // "1-800-FLOWERS": people dial the letters.
  {
    pattern: /1-(8\d\d)-([A-Z]{4,8})(?![A-Za-z0-9])/y,
    say: ({ groups }) => `one ${tollFree(groups[1] ?? "")}, ${groups[2]}`,
  },
  {
    pattern: /(911|411|311|211|988)(?![\d,.-]*\d|[A-Za-z%])/y,
    say: ({ groups, before }) =>
      /(?:^|[^$€£#\d.,-]\s?)$/.test(before) && /(?:\b(?:call|dial|calling|dialing|phone)\b[^.]{0,12}|^)$/i.test(before)
        ? digitWords(groups[1] ?? "")
        : null,
  },
  {
    pattern: /(\d{1,4})\s?¢/y,
    say: ({ groups }) => `${cardinalWords(Number(groups[1]))} ${groups[1] === "1" ? "cent" : "cents"}`,
  },
  // An amount before a noun is in the singular: "a fifty dollar gift card".
  {
    pattern:
      /\$(\d{1,3}(?:,\d{3})*|\d+)(?=(?:-[a-z]| (?!a |an |and |or |to |per |for |in |on |at |if |is |as |is |are |was |were |will |each |every |off |more |less |you |we |i |by |from |with |when |until |before |after |now |today )[a-z]))/y,
    say: ({ groups, before }) =>
      /\b(?:a|an|one|another|each|every) $/i.test(before)
        ? `${cardinalWords(Number((groups[1] ?? "").replaceAll(",", "")))} dollar`
        : null,
  },
  {
    pattern: /(\d)['’′]\s?(\d{1,2})(?:["”″]|'')/y,
    say: ({ groups }) => `${cardinalWords(Number(groups[1]))} foot ${cardinalWords(Number(groups[2]))}`,
  },
  {
    pattern: /(\d{1,4}(?:\.\d+)?)\s?in\.(?=\s+[a-z]|\s*$|,)/y,
    say: ({ groups }) => `${decimalWords(groups[1] ?? "")} ${groups[1] === "1" ? "inch" : "inches"}`,
  },
  {
    pattern: /(\d{1,3}(?:\.\d+)?)\s?°\s?([CF])(?![A-Za-z])/y,
    say: ({ groups }) => `${decimalWords(groups[1] ?? "")} degrees ${groups[2] === "C" ? "Celsius" : "Fahrenheit"}`,
  },
  {
    pattern: /(\d{1,3})\s?(tbsp|tsp|V)(?:\.(?=\s+[a-z]))?(?![A-Za-z0-9])/y,
    say: ({ groups: [, count = "", unit = ""] }) =>
      `${cardinalWords(Number(count))} ${unit === "V" ? "volt" : unit === "tsp" ? "teaspoon" : "tablespoon"}${count === "1" ? "" : "s"}`,
  },
  {
    pattern: new RegExp(`(\\d{1,3})-(${Object.keys(UNITS_AFTER_DASH).join("|")})(?![A-Za-z0-9])`, "y"),
    say: ({ groups: [, count = "", unit = ""] }) => `${cardinalWords(Number(count))} ${UNITS_AFTER_DASH[unit]}`,
  },
  {
    pattern: /\.(\d{1,3})(?!\d|\.\d)/y,
    say: ({ groups, before }) => (/(?:^|[\s(])$/.test(before) ? `point ${digitWords(groups[1] ?? "")}` : null),
  },
  { pattern: /50\/50(?![\d/])/y, say: () => "fifty fifty" },
  {
    pattern: /(\d{1,4})\+(?=\s+[a-z]|[.,;!?)]|$)/y,
    say: ({ groups, after }) => `${cardinalWords(Number(groups[1]))} ${/^\s+[a-z]/.test(after) ? "plus" : "and up"}`,
  },
  {
    pattern: /(\d{1,3})\s?[x×]\s?(\d{1,3})(?![A-Za-z0-9])/y,
    say: ({ groups }) => `${cardinalWords(Number(groups[1]))} by ${cardinalWords(Number(groups[2]))}`,
  },
  { pattern: /(\d{1,3}(?:\.\d)?)x(?=\s|[.,;!?)]|$)/y, say: ({ groups }) => `${decimalWords(groups[1] ?? "")} times` },
  // Odds and results; with two digits after the colon it is a time.
  {
    pattern: /(\d{1,3}):(\d)(?![\d:])/y,
    say: ({ groups }) => `${cardinalWords(Number(groups[1]))} to ${cardinalWords(Number(groups[2]))}`,
  },
  {
    pattern: /(\d{1,2})-to-(\d{1,2})(?![A-Za-z0-9-])/y,
    say: ({ groups }) => `${cardinalWords(Number(groups[1]))} to ${cardinalWords(Number(groups[2]))}`,
  },
  {
    pattern: new RegExp(
      `(${ROMAN.slice(1)
        .toSorted((a, b) => b.length - a.length)
        .join("|")})${WORD_END}(?!['’.]?[a-z])`,
      "y",
    ),
    say: ({ groups: [, roman = ""], before }) => {
      const value = ROMAN.indexOf(roman);
      if (COUNTED.test(before)) return cardinalWords(value);
      // A single letter after a name is an initial.
      return roman.length > 1 && NAMED.test(before) ? `the ${ordinalWords(value)}` : null;
    },
  },
  { pattern: /pp\. ?(?=\d)/y, say: () => "pages " },
  { pattern: /Ref\.(?= [A-Z\d#])/y, say: () => "Reference" },
  { pattern: /C#(?![A-Za-z0-9])/y, say: () => "C sharp" },
  { pattern: /C\+\+/y, say: () => "C plus plus" },
  { pattern: /#(?=[A-Za-z]{2})/y, say: () => "hashtag " },
  { pattern: /@(?=[A-Za-z]{2})/y, say: ({ before }) => (/(?:^|\s)$/.test(before) ? "at " : null) },
  { pattern: /\/(?=or\b)/y, say: () => " " },
  {
    pattern:
      /(he|she|his|her|him|they|them|yes|day|week|month|visit|person|call|text|phone|e-?mail|mail|cash|card)\/(she|he|hers?|him|his|they|them|their|no|night|week|month|year|call|text|phone|e-?mail|mail|card|check|credit|debit)(?![A-Za-z/])/iy,
    say: ({ groups }) => `${groups[1]} or ${groups[2]}`,
  },
];

function weekday(short: string): string {
  return WEEKDAY_NAMES.find((name) => name.startsWith(short.slice(0, 3))) ?? short;
}

function month(short: string): string {
  return MONTH_NAMES.find((name) => name.startsWith(short.slice(0, 3))) ?? short;
}

function tollFree(digits: string): string {
  return digits.endsWith("00") ? `${cardinalWords(Number(digits[0]))} hundred` : digitWords(digits);
}
