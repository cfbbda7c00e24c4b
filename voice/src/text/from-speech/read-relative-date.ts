import { dateOfDayNumber, dayNumberOf } from "@parley/flow/calendar";
import { type DateContext, monthsAway } from "./date-context.ts";
import { certain, type Reading } from "./found.ts";
import { readCardinal } from "./read-cardinal.ts";
import { readWeekday } from "./read-weekday.ts";
import { saysAt, type Word } from "./words.ts";

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

function readNamedDay(words: readonly Word[], at: number, { today }: DateContext): Reading<number> | null {
  const named = NAMED_DAYS.find(([phrase]) => saysAt(words, at, phrase));
  return named === undefined ? null : certain(today + named[1], at + named[0].length);
}

function readDistance(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const hasIn = words[at]?.text === "in";
  const span = readSpan(words, hasIn ? at + 1 : at);
  if (span === null) return null;
  if (hasIn) return certain(away(context.today, span.value, 1), span.next);
  if (words[span.next]?.text === "ago") return certain(away(context.today, span.value, -1), span.next + 1);
  if (words[span.next]?.text !== "from") return null;
  if (words[span.next + 1]?.text === "now") return certain(away(context.today, span.value, 1), span.next + 2);
  const start = readNamedDay(words, span.next + 1, context) ?? readWeekday(words, span.next + 1, context);
  return start === null ? null : certain(away(start.value, span.value, 1), start.next);
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
