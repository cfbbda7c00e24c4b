import {
  dateOfDayNumber,
  dayNumberOf,
  daysInMonth,
  isCalendarDate,
  MONTH_NAMES,
  WEEKDAY_NAMES,
  weekdayOf,
} from "@parley/flow/calendar";
import { type DateContext, monthsAway, nearestDay, nearestDayOfMonth } from "./date-context.ts";
import { readNumber } from "./find-number.ts";
import { readOrdinal } from "./find-ordinal.ts";
import { certain, type Reading } from "./found.ts";
import { numeralOf, readSmall, tensOf } from "./small-numbers.ts";
import { isJoined, saysAt, type Word } from "./words.ts";

const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_NAMES.flatMap((name, index) => {
    const full = name.toLowerCase();
    return [full, full.slice(0, 3), ...(full === "september" ? ["sept"] : [])].map(
      (each) => [each, index + 1] as const,
    );
  }),
);

const HOLIDAYS: readonly (readonly [phrase: readonly string[], month: number, day: number])[] = [
  [["christmas", "eve"], 12, 24],
  [["christmas", "day"], 12, 25],
  [["christmas"], 12, 25],
  [["boxing", "day"], 12, 26],
  [["new", "years", "eve"], 12, 31],
  [["new", "year's", "eve"], 12, 31],
  [["new", "year's", "day"], 1, 1],
  [["new", "year's"], 1, 1],
  [["valentine's", "day"], 2, 14],
  [["valentine's"], 2, 14],
  [["valentines", "day"], 2, 14],
  [["st", "patrick's", "day"], 3, 17],
  [["saint", "patrick's", "day"], 3, 17],
  [["patrick's", "day"], 3, 17],
  [["paddy's", "day"], 3, 17],
  [["st", "george's", "day"], 4, 23],
  [["saint", "george's", "day"], 4, 23],
  [["anzac", "day"], 4, 25],
  [["australia", "day"], 1, 26],
  [["canada", "day"], 7, 1],
  [["bonfire", "night"], 11, 5],
  [["guy", "fawkes"], 11, 5],
  [["veterans", "day"], 11, 11],
  [["april", "fools"], 4, 1],
  [["april", "fool's"], 4, 1],
  [["independence", "day"], 7, 4],
  [["halloween"], 10, 31],
];

/** What may follow "the third" when it is a day. "the third option" is none. */
const AFTER_DAY =
  /^(?:of|at|in|around|about|by|between|please|would|works|will|is|for|after|before|then|or|and|if|from|to)$/;
/** What follows an ordinal that counts something else, even if a day was asked for. */
const COUNTED =
  /^(?:option|choice|one|time|thing|things|floor|street|avenue|grade|week|weeks|month|year|place|half|party|person|thought|thoughts|try|day|days|in|all|name|class|visit|call)$/;
const YEAR_MIN = 1900;
const YEAR_MAX = 2100;

/** "march third", "the third of march twenty twenty-seven", "the third", "the end of the month", "christmas eve". */
export function readNamedDate(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  return (
    readWeekdayOfMonth(words, at, context) ??
    readMonthFirst(words, at, context) ??
    readDayFirst(words, at, context) ??
    readMonthEnd(words, at, context) ??
    readEasterFeast(words, at, context) ??
    readHoliday(words, at, context)
  );
}

const WEEKDAYS: ReadonlyMap<string, number> = new Map(WEEKDAY_NAMES.map((name, day) => [name.toLowerCase(), day]));

/** "the last friday in march", "the first monday of next month". */
function readWeekdayOfMonth(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const start = words[at]?.text === "the" ? at + 1 : at;
  const isLast = words[start]?.text === "last";
  const ordinal = isLast ? certain(0, start + 1) : readOrdinal(words, start);
  const weekday = ordinal === null ? undefined : WEEKDAYS.get(words[ordinal.next]?.text ?? "");
  if (ordinal === null || weekday === undefined || ordinal.value > 4) return null;
  const preposition = words[ordinal.next + 1]?.text;
  if (preposition !== "of" && preposition !== "in") return null;
  const at2 = ordinal.next + 2;
  const today = dateOfDayNumber(context.today);
  const named = MONTHS.get(words[at2]?.text ?? "");
  const isNext = saysAt(words, at2, ["next", "month"]);
  const isThis = saysAt(words, at2, ["this", "month"]) || saysAt(words, at2, ["the", "month"]);
  if (named === undefined && !isNext && !isThis) return null;
  const next = at2 + (named === undefined ? 2 : 1);
  const first =
    named === undefined ? monthsAway({ ...today, day: 1 }, isNext ? 1 : 0) : { ...today, month: named, day: 1 };
  const inYear = (year: number) => weekdayOfMonth(year, first.month, weekday, isLast ? null : ordinal.value);
  const day = inYear(first.year);
  return certain(day < context.today && context.prefer === "future" ? inYear(first.year + 1) : day, next);
}

function weekdayOfMonth(year: number, month: number, weekday: number, count: number | null): number {
  const first = dayNumberOf({ year, month, day: 1 });
  const earliest = first + ((weekday - weekdayOf(first) + 7) % 7);
  if (count !== null) return earliest + 7 * (count - 1);
  const end = first + daysInMonth(year, month) - 1;
  return earliest + 7 * Math.floor((end - earliest) / 7);
}

function readMonthFirst(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const month = MONTHS.get(words[at]?.text ?? "");
  // "March 2027" has no day; "April 12, 1985" has one, though twelve may also be short for a year.
  if (month === undefined || readYear(words, at + 1, { ...context, prefer: "future" }) !== null) return null;
  const day = readDay(words, words[at + 1]?.text === "the" ? at + 2 : at + 1, true);
  return day === null ? null : readWithYear(words, month, day, context);
}

function readDayFirst(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const hasArticle = words[at]?.text === "the";
  const start = hasArticle ? at + 1 : at;
  const day = readDay(words, start, false) ?? (context.isAsked ? readCountedDay(words, start) : null);
  // "thirty-first" is no first.
  if (day === null || (tensOf(words[at - 1]) !== null && isJoined(words[at]))) return null;
  const isOf = words[day.next]?.text === "of";
  const month = MONTHS.get(words[isOf ? day.next + 1 : day.next]?.text ?? "");
  if (month !== undefined) {
    return readWithYear(words, month, certain(day.value, day.next + (isOf ? 2 : 1)), context);
  }
  return readDayOfMonth(words, at, day, context);
}

/** "eighteen march", "the twenty-one of February", as it is said by people who learned English later. */
function readCountedDay(words: readonly Word[], at: number): Reading<number> | null {
  const day = readDay(words, at, true);
  const isOf = day !== null && words[day.next]?.text === "of";
  return day !== null && MONTHS.has(words[day.next + (isOf ? 1 : 0)]?.text ?? "") ? day : null;
}

/** A day without its month needs an article, or to be written as an ordinal, and must not count something else. */
function readDayOfMonth(
  words: readonly Word[],
  at: number,
  day: Reading<number>,
  context: DateContext,
): Reading<number> | null {
  // The day of a month that does not have it is no day of another month.
  if (MONTHS.has(words[at - 1]?.text ?? "")) return null;
  if (!/(?:st|nd|rd|th)$/.test(words[day.next - 1]?.text ?? "")) return null;
  const isArticled = words[at]?.text === "the" || words[at - 1]?.text === "on" || /^\d/.test(words[at]?.text ?? "");
  const following = words[day.next];
  const isOver = following === undefined || following.gap === "comma" || following.gap === "stop";
  if (context.isAsked) {
    // "first" and "second" have too many other uses.
    if (!(isArticled || day.value > 2) || !(isOver || !COUNTED.test(following.text))) return null;
  } else if (!isArticled || !(isOver || AFTER_DAY.test(following.text))) return null;
  const months = monthsSaid(words, day.next);
  if (months !== null) return inMonth(day.value, months, context);
  const nearest = nearestDayOfMonth(day.value, context);
  return nearest === null ? null : certain(nearest, day.next);
}

/** "of this month", "of the month", "of next month". */
function monthsSaid(words: readonly Word[], at: number): Reading<number> | null {
  if (saysAt(words, at, ["of", "next", "month"])) return certain(1, at + 3);
  const isThis = saysAt(words, at, ["of", "this", "month"]) || saysAt(words, at, ["of", "the", "month"]);
  return isThis ? certain(0, at + 3) : null;
}

function inMonth(day: number, months: Reading<number>, { today }: DateContext): Reading<number> | null {
  const first = monthsAway({ ...dateOfDayNumber(today), day: 1 }, months.value);
  return isCalendarDate({ ...first, day }) ? certain(dayNumberOf({ ...first, day }), months.next) : null;
}

/** "the end of the month", "the last day of march". */
function readMonthEnd(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const start = words[at]?.text === "the" ? at + 1 : at;
  const isLastDay = saysAt(words, start, ["last", "day"]);
  if (words[start]?.text !== "end" && !isLastDay) return null;
  const end = start + (isLastDay ? 2 : 1);
  const { today } = context;
  const month = words[end]?.text === "of" ? MONTHS.get(words[end + 1]?.text ?? "") : undefined;
  if (month !== undefined) {
    const first = nearestDay(month, 1, context);
    const { year, month: thisMonth } = dateOfDayNumber(today);
    // The end of a month that has begun is still to come.
    const named = month === thisMonth ? { year, month, day: 1 } : first === null ? null : dateOfDayNumber(first);
    return named === null ? null : certain(dayNumberOf(monthsAway(named, 1)) - 1, end + 2);
  }
  const months = monthsSaid(words, end);
  if (months === null) return null;
  const nextFirst = monthsAway({ ...dateOfDayNumber(today), day: 1 }, months.value + 1);
  return certain(dayNumberOf(nextFirst) - 1, months.next);
}

/** Feasts that move with Easter, by the days from it. */
const EASTER_FEASTS: readonly (readonly [phrase: readonly string[], days: number])[] = [
  [["shrove", "tuesday"], -47],
  [["pancake", "tuesday"], -47],
  [["pancake", "day"], -47],
  [["ash", "wednesday"], -46],
  [["palm", "sunday"], -7],
  [["maundy", "thursday"], -3],
  [["good", "friday"], -2],
  [["easter", "sunday"], 0],
  [["easter", "monday"], 1],
];

function readEasterFeast(words: readonly Word[], at: number, { today, prefer }: DateContext): Reading<number> | null {
  const feast = EASTER_FEASTS.find(([phrase]) => saysAt(words, at, phrase));
  if (feast === undefined) return null;
  const [phrase, days] = feast;
  const { year } = dateOfDayNumber(today);
  const ofYear = [year - 1, year, year + 1].map((each) => easterOf(each) + days);
  const nearest = prefer === "future" ? ofYear.find((day) => day >= today) : ofYear.findLast((day) => day <= today);
  return nearest === undefined ? null : certain(nearest, at + phrase.length);
}

/** The Sunday after the first full moon of spring in the Gregorian calendar, by the method of Meeus, Jones and Butcher. */
function easterOf(year: number): number {
  const cycle = year % 19;
  const [century, inCentury] = [Math.floor(year / 100), year % 100];
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * cycle + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - moon - (inCentury % 4)) % 7;
  const late = Math.floor((cycle + 11 * moon + 22 * weekday) / 451);
  const sum = moon + weekday - 7 * late + 114;
  return dayNumberOf({ year, month: Math.floor(sum / 31), day: (sum % 31) + 1 });
}

function readHoliday(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const holiday = HOLIDAYS.find(([phrase]) => saysAt(words, at, phrase));
  if (holiday === undefined) return null;
  const [phrase, month, day] = holiday;
  return readWithYear(words, month, certain(day, at + phrase.length), context);
}

/** "third", "3rd", "3"; after the name of a month also "three". */
function readDay(words: readonly Word[], at: number, mayCount: boolean): Reading<number> | null {
  const numeral = numeralOf(words[at]);
  const day =
    readOrdinal(words, at) ?? (numeral === null ? (mayCount ? readSmall(words, at) : null) : certain(numeral, at + 1));
  return day !== null && Number.isInteger(day.value) && day.value >= 1 && day.value <= 31 ? day : null;
}

function readWithYear(
  words: readonly Word[],
  month: number,
  day: Reading<number>,
  context: DateContext,
): Reading<number> | null {
  const year = readYear(words, day.next, context);
  if (year !== null) {
    const date = { year: year.value, month, day: day.value };
    return isCalendarDate(date) ? certain(dayNumberOf(date), year.next) : null;
  }
  const nearest = nearestDay(month, day.value, context);
  return nearest === null ? null : certain(nearest, day.next);
}

/** Of a day behind us, "eighty-four" is a year too: the last one with that ending. */
function readYear(words: readonly Word[], at: number, { today, prefer }: DateContext): Reading<number> | null {
  const number = words[at]?.gap === "stop" ? null : readNumber(words, at);
  if (number === null || !Number.isInteger(number.value)) return null;
  if (number.value >= YEAR_MIN && number.value <= YEAR_MAX) return certain(number.value, number.next);
  if (prefer !== "past" || number.value < 10 || number.value > 99) return null;
  const { year } = dateOfDayNumber(today);
  const inThisCentury = year - (year % 100) + number.value;
  return certain(inThisCentury > year ? inThisCentury - 100 : inThisCentury, number.next);
}
