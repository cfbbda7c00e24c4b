import {
  dateOfDayNumber,
  dayNumberOf,
  daysInMonth,
  formatDay,
  formatMinute,
  localDateOf,
  MONTH_NAMES,
  parseMinute,
  weekdayOf,
} from "@parley/flow/calendar";
import { findTime } from "../../../text/values-in-speech/find-time.ts";
import type { Found } from "../../../text/values-in-speech/found.ts";
import type { ReadingContext } from "../answer.ts";

/** Part of a day or a time: "in December", "in the afternoon", "between two and four". What is missing is asked for. */
export interface Period {
  readonly kind: "days" | "times";
  /** The first and the last that it may be: days as `2026-01-31`, times as `09:30`. */
  readonly from: string;
  readonly to: string;
  /** How a question for the rest continues: "Which day in December?". Null when both ends are said. */
  readonly said: string | null;
}

/** The part of the year that a text names. */
export function findDays(text: string, { nowMs, timeZone }: ReadingContext): Period | null {
  const today = dayNumberOf(localDateOf(nowMs, timeZone));
  const monday = today - ((weekdayOf(today) + 6) % 7);
  const days = (from: number, to: number, said: string): Period => ({
    kind: "days",
    from: formatDay(Math.max(from, today)),
    to: formatDay(to),
    said,
  });
  const { year, month } = dateOfDayNumber(today);
  const monthAt = (first: number) => {
    const date = dateOfDayNumber(first);
    const length = daysInMonth(date.year, date.month);
    return days(first, first + length - 1, `in ${MONTH_NAMES[date.month - 1]}`);
  };
  if (/\b(?:the )?month after next\b/i.test(text)) return monthAt(dayNumberOf({ year, month: month + 2, day: 1 }));
  if (/\bnext month\b/i.test(text)) return monthAt(dayNumberOf({ year, month: month + 1, day: 1 }));
  if (/\b(?:this month|later in the month)\b/i.test(text)) return monthAt(dayNumberOf({ year, month, day: 1 }));
  if (/\bthe week after next\b/i.test(text)) return days(monday + 14, monday + 20, "exactly");
  if (/\bnext week\b/i.test(text)) return days(monday + 7, monday + 13, "next week");
  if (/\b(?:this|later in the|end of the|rest of the) week\b/i.test(text)) return days(today, monday + 6, "this week");
  if (/\b(?:not|except|but)\b[^,.;]*\bweekend/i.test(text)) return days(today, today + 365, "exactly");
  if (/\b(?:in|after|early in) the new year\b/i.test(text))
    return monthAt(dayNumberOf({ year: year + 1, month: 1, day: 1 }));
  if (/\bafter the weekend\b/i.test(text)) return days(monday + 7, monday + 13, "next week");
  if (/\bweekend\b/i.test(text)) {
    const weeks = /\bweekend after next\b/i.test(text) ? 2 : /\bnext weekend\b|\bweekend after\b/i.test(text) ? 1 : 0;
    const saturday = monday + 5 + 7 * weeks;
    return days(saturday, saturday + 1, "at the weekend");
  }
  const named = MONTH_NAMES.findIndex((name) => monthNamed(name).test(text));
  if (named >= 0) {
    const isPast = named + 1 < month;
    return monthAt(dayNumberOf({ year: isPast ? year + 1 : year, month: named + 1, day: 1 }));
  }
  if (/\bnext year\b/i.test(text))
    return days(
      dayNumberOf({ year: year + 1, month: 1, day: 1 }),
      dayNumberOf({ year: year + 1, month: 12, day: 31 }),
      "next year",
    );
  const season =
    /\b(?:in|this|next|during|over|until|early|late|mid)[ -](?:the )?(spring|summer|autumn|fall|winter)\b/i.exec(
      text,
    )?.[1];
  if (season !== undefined) return days(today, today + 365, `in the ${season.toLowerCase()}`);
  const isVague =
    /\b(?:any (?:other )?(?:week)?day|(?:on )?(?:a )?weekdays?|(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:a few|several|a couple of) (?:days|weeks)|(?:after|before|around|over|at) (?:easter|christmas|thanksgiving|new year|the holidays)|whenever|some ?time|some ?day|later|another day|a different day|as soon as (?:possible|you can)|asap|the sooner the better|the earliest|the day (?:after|before)|weeks? (?:later|after)|days? later|the following)\b/i;
  return isVague.test(text) ? days(today, today + 365, "exactly") : null;
}

/** "may" and "march" are words of their own unless something says that they are months. */
function monthNamed(name: string): RegExp {
  const isWord = name === "May" || name === "March";
  return isWord
    ? new RegExp(
        `\\b(?:in|mid|early|late|of|this|next|until|till|by|middle of|beginning of|sometime in)[ -]${name}\\b`,
        "i",
      )
    : new RegExp(`\\b${name}\\b`, "i");
}

/** Minutes after midnight. */
const DAY_BEGINS = 6 * 60;

const DAY_PARTS: readonly (readonly [pattern: RegExp, from: string, to: string, said: string])[] = [
  [
    /\b(?:morning|first thing|before lunch|before noon|early(?! (?:after|even)))\b/i,
    "06:00",
    "11:59",
    "in the morning",
  ],
  [/\b(?:afternoon|after lunch|after school|early afternoon)\b/i, "12:00", "17:59", "in the afternoon"],
  [/\b(?:evening|after work|after dinner|tonight)\b/i, "17:00", "22:00", "in the evening"],
  [
    /\b(?:lunch ?time|lunch|(?:tea|dinner|supper|breakfast) ?time|around noon|any ?time|whenever|some ?time|later|earlier|half past|quarter (?:past|to)|(?:five|ten|twenty|twenty-five) (?:past|to)|close of business|as late as|end of the day|last thing|a different time|another time)\b/i,
    "06:00",
    "22:00",
    "exactly",
  ],
];

/** The part of the day that a text names. A greeting names none. */
export function findTimes(text: string): Period | null {
  const plain = text.replaceAll(/\bgood (?:morning|afternoon|evening)\b/gi, " ");
  const range =
    /\b(?:between|from|anywhere from|anywhere between|any time between)\s+(.{1,24}?)\s+(?:and|to|till|until)\s+(.{1,24})/i.exec(
      plain,
    ) ?? /\b((?:\d{1,2}|\w+))\s+to\s+((?:\d{1,2}|\w+)(?:\s+(?:pm|am|o'clock))?)\s*[.!]?$/i.exec(plain);
  const [from, to] = [range?.[1], range?.[2]].map((each) =>
    each === undefined ? null : findTime(`at ${each}`, { isAsked: true }),
  );
  if (from != null && to != null) {
    const minutesOf = ({ value, others }: Found<string>) => [value, ...others].map((each) => parseMinute(each) ?? 0);
    // Which halves of the day are meant: the end comes after the beginning, soon, and not in the night.
    const [window] = minutesOf(from)
      .flatMap((begin) => minutesOf(to).map((end) => ({ begin, end })))
      .filter(({ begin, end }) => begin < end && begin >= DAY_BEGINS)
      .toSorted((one, other) => one.end - one.begin - (other.end - other.begin));
    if (window !== undefined) {
      return { kind: "times", from: formatMinute(window.begin), to: formatMinute(window.end), said: null };
    }
  }
  const part = DAY_PARTS.find(([pattern]) => pattern.test(plain));
  return part === undefined ? null : { kind: "times", from: part[1], to: part[2], said: part[3] };
}
