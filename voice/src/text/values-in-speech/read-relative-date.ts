import { dateOfDayNumber, dayNumberOf, WEEKDAY_NAMES, weekdayOf } from "@parley/flow/calendar";
import { type DateContext, monthsAway } from "./date-context.ts";
import { certain, type Reading } from "./found.ts";
import { readCardinal } from "./read-cardinal.ts";
import { isJoined, saysAt, type Word } from "./words.ts";

const NAMED_DAYS: readonly (readonly [phrase: readonly string[], days: number])[] = [
  [["the", "day", "after", "tomorrow"], 2],
  [["day", "after", "tomorrow"], 2],
  [["the", "day", "before", "yesterday"], -2],
  [["day", "before", "yesterday"], -2],
  [["today"], 0],
  [["tonight"], 0],
  [["this", "morning"], 0],
  [["this", "afternoon"], 0],
  [["this", "evening"], 0],
  [["tomorrow"], 1],
  [["yesterday"], -1],
];

/** If a day was asked for, these name one as well. */
const NAMED_DAYS_WHEN_ASKED: readonly (readonly [phrase: readonly string[], days: number])[] = [
  [["right", "now"], 0],
  [["right", "away"], 0],
  [["straight", "away"], 0],
  [["immediately"], 0],
];

/** A length of time by the calendar. */
interface Span {
  readonly days: number;
  readonly months: number;
}

const SPANS: Readonly<Record<string, Span>> = {
  day: { days: 1, months: 0 },
  days: { days: 1, months: 0 },
  week: { days: 7, months: 0 },
  weeks: { days: 7, months: 0 },
  fortnight: { days: 14, months: 0 },
  month: { days: 0, months: 1 },
  months: { days: 0, months: 1 },
  year: { days: 0, months: 12 },
  years: { days: 0, months: 12 },
};

/** "tomorrow", "in three days", "two weeks from friday", "a week ago", "next tuesday". */
export function readRelativeDate(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  return readNamedDay(words, at, context) ?? readDistance(words, at, context) ?? readWeekday(words, at, context);
}

function readNamedDay(words: readonly Word[], at: number, { today, isAsked }: DateContext): Reading<number> | null {
  const named = [...NAMED_DAYS, ...(isAsked ? NAMED_DAYS_WHEN_ASKED : [])].find(([phrase]) =>
    saysAt(words, at, phrase),
  );
  return named === undefined ? null : certain(today + named[1], at + named[0].length);
}

function readDistance(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const hasIn = words[at]?.text === "in";
  const span = readSpan(words, hasIn ? at + 1 : at);
  if (span === null) return null;
  if (hasIn) return certain(away(context.today, span.value, 1), span.next);
  if (/^(?:ago|back)$/.test(words[span.next]?.text ?? ""))
    return certain(away(context.today, span.value, -1), span.next + 1);
  // "It's eight days now", "a week today": of what is behind us, counted back.
  const isSince = /^(?:now|today|tonight)$/.test(words[span.next]?.text ?? "");
  if (context.isAsked && context.prefer === "past" && isSince) {
    return certain(away(context.today, span.value, -1), span.next + 1);
  }
  if (saysAt(words, span.next, ["from", "now"])) return certain(away(context.today, span.value, 1), span.next + 2);
  // "a week from friday", and the British "a week on friday" and "a fortnight today".
  const next = /^(?:from|on)$/.test(words[span.next]?.text ?? "") ? span.next + 1 : span.next;
  const start = readNamedDay(words, next, context) ?? readWeekday(words, next, context);
  if (start !== null) return certain(away(start.value, span.value, 1), start.next);
  const isOver =
    !isJoined(words[span.next]) || /^(?:please|would|should|then|maybe)$/.test(words[span.next]?.text ?? "");
  return context.isAsked && context.prefer === "future" && isOver
    ? certain(away(context.today, span.value, 1), span.next)
    : null;
}

/** "three days", "a week", "a couple of months". */
function readSpan(words: readonly Word[], at: number): Reading<Span> | null {
  const count = readCount(words, at);
  const unit = count === null ? undefined : SPANS[words[count.next]?.text ?? ""];
  if (count === null || unit === undefined) return null;
  return certain({ days: unit.days * count.value, months: unit.months * count.value }, count.next + 1);
}

function readCount(words: readonly Word[], at: number): Reading<number> | null {
  if (saysAt(words, at, ["a", "couple", "of"])) return certain(2, at + 3);
  if (words[at]?.text === "a" || words[at]?.text === "an") return certain(1, at + 1);
  return readCardinal(words, at);
}

function away(from: number, { days, months }: Span, direction: 1 | -1): number {
  const moved = months === 0 ? from : dayNumberOf(monthsAway(dateOfDayNumber(from), direction * months));
  return moved + direction * days;
}

/** "sat" and "sun" are left out: they are words of their own. */
const WEEKDAYS: ReadonlyMap<string, number> = new Map([
  ...WEEKDAY_NAMES.map((name, weekday) => [name.toLowerCase(), weekday] as const),
  ["mon", 1],
  ["tue", 2],
  ["tues", 2],
  ["wed", 3],
  ["thu", 4],
  ["thur", 4],
  ["thurs", 4],
  ["fri", 5],
]);

/**
 * "tuesday", "this tuesday", "next tuesday", "tuesday week", "tuesday of next week", "next week on tuesday". "next" is
 * ambiguous: within this week it is the one of the week after, and the other meaning is an alternative.
 */
function readWeekday(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const week = readWeek(words, at);
  if (week !== null) {
    // "next week on Tuesday", "the week after next, on the Tuesday".
    const fill = /^(?:on|the)$/;
    let day = week.next;
    while (day < week.next + 2 && fill.test(words[day]?.text ?? "")) day += 1;
    const weekday = WEEKDAYS.get(words[day]?.text ?? "");
    return weekday === undefined ? null : certain(inWeek(weekday, context.today + 7 * week.value), day + 1);
  }
  const { modifier, next } = readModifier(words, at);
  const weekday = WEEKDAYS.get(words[next]?.text ?? "");
  if (weekday === undefined) return null;
  return readSuffix(words, next + 1, weekday, context) ?? days(modifier, weekday, next + 1, context);
}

/** How many weeks ahead: "next week", "the week after next". */
function readWeek(words: readonly Word[], at: number): Reading<number> | null {
  const start = words[at]?.text === "the" ? at + 1 : at;
  if (saysAt(words, start, ["week", "after", "next"])) return certain(2, start + 3);
  return saysAt(words, at, ["next", "week"]) ? certain(1, at + 2) : null;
}

type Modifier = "none" | "this" | "next" | "last";

function readModifier(words: readonly Word[], at: number): { modifier: Modifier; next: number } {
  if (saysAt(words, at, ["this", "coming"])) return { modifier: "this", next: at + 2 };
  const modifier = words[at]?.text;
  if (modifier === "this" || modifier === "coming") return { modifier: "this", next: at + 1 };
  if (modifier === "last" || modifier === "past") return { modifier: "last", next: at + 1 };
  if (modifier === "next") return { modifier: "next", next: at + 1 };
  return { modifier: "none", next: at };
}

function readSuffix(words: readonly Word[], at: number, weekday: number, context: DateContext): Reading<number> | null {
  const start = words[at]?.text === "of" ? at + 1 : at;
  const week = readWeek(words, start);
  if (week !== null) return certain(inWeek(weekday, context.today + 7 * week.value), week.next);
  if (saysAt(words, start, ["this", "week"])) return certain(inWeek(weekday, context.today), start + 2);
  const span = words[at]?.text === "in" ? readSpan(words, at + 1) : null;
  if (span !== null && span.value.months === 0 && span.value.days % 7 === 0) {
    return certain(inWeek(weekday, context.today + span.value.days), span.next);
  }
  if (words[at]?.text === "fortnight") return certain(upcoming(weekday, context.today) + 14, at + 1);
  const isLater = saysAt(words, at, ["after", "next"]);
  if (isLater || words[at]?.text === "week")
    return certain(upcoming(weekday, context.today) + 7, at + (isLater ? 2 : 1));
  return null;
}

function days(modifier: Modifier, weekday: number, next: number, { today, prefer }: DateContext): Reading<number> {
  const ahead = upcoming(weekday, today);
  const isToday = weekdayOf(today) === weekday;
  if (modifier === "last" || (modifier === "none" && prefer === "past"))
    return certain(ahead - (isToday ? 14 : 7), next);
  if (modifier === "this") return certain(isToday ? today : ahead, next);
  if (modifier === "none") return { value: ahead, others: isToday ? [today] : [], next };
  const isThisWeek = weekOf(ahead) === weekOf(today);
  return isThisWeek ? { value: ahead + 7, others: [ahead], next } : { value: ahead, others: [ahead + 7], next };
}

/** The first such day after today. */
function upcoming(weekday: number, today: number): number {
  return today + ((weekday - weekdayOf(today) + 6) % 7) + 1;
}

/** Such a day in the week of another day. */
function inWeek(weekday: number, dayNumber: number): number {
  return dayNumber - ((weekdayOf(dayNumber) + 6) % 7) + ((weekday + 6) % 7);
}

/** Weeks begin on Monday; the first of January 1970 was a Thursday. */
function weekOf(dayNumber: number): number {
  return Math.floor((dayNumber + 3) / 7);
}
