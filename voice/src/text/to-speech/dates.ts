import { isCalendarDate, MONTH_NAMES, WEEKDAY_NAMES } from "@parley/flow/calendar";
import { cardinalWords, ordinalWords, yearWords } from "./number-words.ts";
import { type SpeechRule, type SpeechStyle, sentenceEnd, WORD_END } from "./speech-rule.ts";
import { clockWords } from "./times.ts";

interface DateToSay {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

/** Any leap year: used to check whether a day exists if no year was written. */
const SOME_LEAP_YEAR = 2000;

const MONTH =
  "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
/** Elsewhere two numbers with a slash are a fraction, or a name. */
const DATE_FOLLOWS =
  /\b(?:on|by|until|till|before|after|since|due|from|through|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?|\d\/\d{1,2} (?:to|and|or)) $/i;
const SUFFIX = "(?:st|nd|rd|th)?";
const YEAR = "(?:,? (\\d{4}))?";
/** A time, a decimal or a longer number is not a day or a year. */
const NO_MORE_DIGITS = "(?![\\d:A-Za-z]|[.,/-]\\d)";

export const DATES: readonly SpeechRule[] = [
  {
    pattern: /(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?(?![\d-])/y,
    say: ({ groups }, style) => isoWords(groups, style),
  },
  {
    pattern: /(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?![\d/])/y,
    say: ({ groups }, style) => {
      const [, first, second, year] = groups.map(Number);
      return slashWords(first ?? 0, second ?? 0, fullYear(year ?? 0), style);
    },
  },
  {
    pattern: /(\d{1,2})\/(\d{1,2})(?![\d/A-Za-z])/y,
    say: ({ groups, before }, style) => {
      const [, first = 0, second = 0] = groups.map(Number);
      return DATE_FOLLOWS.test(before) ? slashWords(first, second, null, style) : null;
    },
  },
  {
    pattern: /(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d|\.\d)/y,
    say: ({ groups }, style) => {
      const [, day = 0, month = 0, year = 0] = groups.map(Number);
      return checkedWords({ year, month, day }, style);
    },
  },
  {
    pattern: new RegExp(`${MONTH}\\.? (\\d{1,2})${SUFFIX}${YEAR}${NO_MORE_DIGITS}`, "y"),
    say: ({ groups }, style) => namedWords(groups[1], groups[2], groups[3], style),
  },
  {
    pattern: new RegExp(`(?:the )?(\\d{1,2})${SUFFIX} (?:of )?${MONTH}${WORD_END}\\.?${YEAR}${NO_MORE_DIGITS}`, "y"),
    say: ({ groups, after }, style) => {
      const words = namedWords(groups[2], groups[1], groups[3], style);
      return words === null ? null : words + sentenceEnd(groups[0] ?? "", after);
    },
  },
  {
    pattern: new RegExp(`${MONTH}\\.?,? ([12]\\d{3})${NO_MORE_DIGITS}`, "y"),
    say: ({ groups }) => `${MONTH_NAMES[monthOf(groups[1] ?? "") - 1]} ${yearWords(Number(groups[2]))}`,
  },
  {
    pattern:
      /(Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?:\.,?|(,)|(?= \d| (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)))(?![A-Za-z])/y,
    say: ({ groups, after }) =>
      /^\s+(?:\d|[A-Z][a-z]{2})/.test(after) || groups[0]?.endsWith(".") ? weekdayWords(groups, after) : null,
  },
  {
    pattern: new RegExp(`${MONTH}\\.(?![A-Za-z0-9])`, "y"),
    say: ({ groups, after }) => {
      const [written = "", month = ""] = groups;
      return month === MONTH_NAMES[monthOf(month) - 1]
        ? null
        : `${MONTH_NAMES[monthOf(month) - 1]}${sentenceEnd(written, after)}`;
    },
  },
];

/** "March fourth, twenty twenty-six" or "the fourth of March, twenty twenty-six". */
export function dateWords({ year, month, day }: DateToSay, { isDayFirst }: SpeechStyle): string {
  const name = MONTH_NAMES[month - 1] ?? "";
  const start = isDayFirst ? `the ${ordinalWords(day)} of ${name}` : `${name} ${ordinalWords(day)}`;
  return year === null ? start : `${start}, ${yearWords(year)}`;
}

function checkedWords(date: DateToSay, style: SpeechStyle): string | null {
  return isCalendarDate({ ...date, year: date.year ?? SOME_LEAP_YEAR }) ? dateWords(date, style) : null;
}

function isoWords(groups: readonly (string | undefined)[], style: SpeechStyle): string | null {
  const [, year, month, day, hour, minute] = groups.map(Number);
  const date = checkedWords({ year: year ?? 0, month: month ?? 0, day: day ?? 0 }, style);
  if (date === null || groups[4] === undefined) return date;
  const clock = clockWords({ hour: hour ?? 0, minute: minute ?? 0, meridiem: null, is24Hour: true });
  if (clock === null) return null;
  return `${date} at ${clock}${groups[6] === "Z" ? " U T C" : ""}`;
}

/** A first number above twelve is a day and a second one above twelve too; otherwise the local order applies. */
function slashWords(first: number, second: number, year: number | null, style: SpeechStyle): string | null {
  const isDayFirst = first > 12 || (second <= 12 && style.isDayFirst);
  const [month, day] = isDayFirst ? [second, first] : [first, second];
  return checkedWords({ year, month, day }, style);
}

function namedWords(month = "", day = "", year: string | undefined, style: SpeechStyle): string | null {
  const date = { year: year === undefined ? null : Number(year), month: monthOf(month), day: Number(day) };
  return checkedWords(date, style);
}

function weekdayWords(groups: readonly (string | undefined)[], after: string): string {
  const [written = "", short = "", comma] = groups;
  const name = WEEKDAY_NAMES.find((weekday) => weekday.startsWith(short.slice(0, 3))) ?? short;
  return name + (comma ?? (written.endsWith(",") ? "," : sentenceEnd(written, after.replace(/^\s+[A-Z]/, " a"))));
}

function monthOf(name: string): number {
  return MONTH_NAMES.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1;
}

/** Two digits are of this century up to 2049. */
function fullYear(year: number): number {
  if (year >= 100) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

const YEAR_ALONE = "(1[1-9]\\d{2}|20\\d{2})";
const END = `${WORD_END}(?![.,:]\\d)`;
/** After these a number of this century or the last is a year. */
const YEAR_FOLLOWS = /\b(?:in|since|until|till|by|during|year|before|after|from|early|late|mid|circa) $/i;
const OTHER_YEAR_BEFORE = /\b(?:19|20)\d{2} (?:to|and|or|until|through) $/;
/** Rooms, gates and the like are said in pairs too: "two oh four". */
const PLACE_FOLLOWS = /\b(?:room|suite|apartment|apt\.?|unit|gate|bus|route|channel|platform|highway|hwy) $/i;
const STREET_AHEAD =
  /^ (?:[NSEW]\.? )?(?:[A-Z][a-z]+ ){1,3}(?:St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Ln|Lane|Blvd|Boulevard|Way|Court|Ct|Place|Pl)\b/;

/** Numbers that are said in pairs. */
export const YEARS: readonly SpeechRule[] = [
  {
    pattern: /(1[1-9]|20)(\d)0s(?![A-Za-z0-9])/y,
    say: ({ groups }) => `${cardinalWords(Number(groups[1]))} ${decadeWords(Number(groups[2]))}`,
  },
  { pattern: /['’]([2-9])0s(?![A-Za-z0-9])/y, say: ({ groups }) => decadeWords(Number(groups[1])) },
  {
    pattern: new RegExp(`((?:19|20)\\d{2})\\s?[-–]\\s?((?:19|20)\\d{2})(?!-\\d)${END}`, "y"),
    say: ({ groups }) => `${yearWords(Number(groups[1]))} to ${yearWords(Number(groups[2]))}`,
  },
  {
    pattern: new RegExp(`${YEAR_ALONE}${END}`, "y"),
    say: ({ groups: [, year = ""], before }) =>
      YEAR_FOLLOWS.test(before) || (/^(?:19|20)/.test(year) && OTHER_YEAR_BEFORE.test(before))
        ? yearWords(Number(year))
        : null,
  },
  {
    pattern: new RegExp(`([1-9]\\d{2,3})${END}`, "y"),
    say: ({ groups: [, number], before, after }) =>
      PLACE_FOLLOWS.test(before) || STREET_AHEAD.test(after) ? pairWords(Number(number)) : null,
  },
];

/** "two oh four", "twenty-four ninety", "three hundred". Three or four digits. */
export function pairWords(number: number): string {
  const rest = number % 100;
  if (rest === 0) return cardinalWords(number);
  return `${cardinalWords(Math.floor(number / 100))} ${rest < 10 ? "oh " : ""}${cardinalWords(rest)}`;
}

function decadeWords(tens: number): string {
  if (tens === 0) return "hundreds";
  if (tens === 1) return "tens";
  return cardinalWords(10 * tens).replace(/y$/, "ies");
}
