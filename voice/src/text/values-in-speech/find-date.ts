import { dateOfDayNumber, dayNumberOf, isCalendarDate, isoDateOf, localDateOf } from "@parley/flow/calendar";
import { type DateContext, nearestDay, nearestDayOfMonth } from "./date-context.ts";
import { readOrdinal } from "./find-ordinal.ts";
import { certain, type Found, findFirst, type Reading } from "./found.ts";
import { readNamedDate } from "./read-named-date.ts";
import { readRelativeDate } from "./read-relative-date.ts";
import { readSmall } from "./small-numbers.ts";
import { isJoined, type Word, wordsOf } from "./words.ts";

export interface DateWanted {
  readonly nowMs: number;
  /** The callee's IANA time zone, which determines what "tomorrow" is. */
  readonly timeZone: string;
  /** Appointments are ahead, which is assumed; birthdays are behind. */
  readonly prefer?: "future" | "past";
  readonly isDayFirst?: boolean;
  /** Whether the text answers a question for a day, in which case less is needed to name one. */
  readonly isAsked?: boolean;
}

/** The first day that is named in a text, as "YYYY-MM-DD". */
export function findDate(text: string, wanted: DateWanted): Found<string> | null {
  const { nowMs, timeZone, prefer = "future", isDayFirst = false, isAsked = false } = wanted;
  const context: DateContext = { today: dayNumberOf(localDateOf(nowMs, timeZone)), prefer, isDayFirst, isAsked };
  const spoken = findFirst(wordsOf(text), (words, at) => readOffer(words, at, context));
  const written = findWritten(text, context);
  const found = written !== null && (spoken === null || written.start <= spoken.start) ? written : spoken;
  if (found === null) return null;
  const isoOf = (dayNumber: number) => isoDateOf(dateOfDayNumber(dayNumber));
  return { ...found, value: isoOf(found.value), others: found.others.map(isoOf) };
}

/** In "saturday or sunday", the second is the alternative. */
function readOffer(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const first = readDate(words, at, context);
  const second = words[first?.next ?? -1]?.text === "or" ? readDate(words, (first?.next ?? 0) + 1, context) : null;
  if (first === null || second === null) return first;
  return { ...first, others: [second.value, ...first.others], next: second.next };
}

/** "Good Friday" and "Easter Monday" are days of the year. */
function isFeast(words: readonly Word[], at: number): boolean {
  const isNamed = /^(?:good|black|easter|ash|palm|holy|cyber|shrove|maundy|whit)$/.test(words[at - 1]?.text ?? "");
  return isNamed && isJoined(words[at]) && /day$/.test(words[at]?.text ?? "");
}

function readDate(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const named = isFeast(words, at) ? null : readNamedDate(words, at, context);
  if (named !== null) return named;
  if (isFeast(words, at)) return null;
  const relative = readRelativeDate(words, at, context);
  if (relative === null) return context.isAsked ? readCountedDay(words, at, context) : null;
  // "tuesday, march third": the date says more than the weekday, which is then only a check.
  const exact = readNamedDate(words, relative.next, { ...context, isAsked: true });
  if (exact === null) return readBareDay(words, relative, context) ?? relative;
  const agrees = exact.value === relative.value || (exact.value - relative.value) % 7 === 0;
  return agrees ? certain(exact.value, exact.next) : { ...exact, others: [relative.value] };
}

/**
 * "thursday the twelve", as it is said by people who learn English, and "thursday the twelfth in the morning", which alone
 * might count something else. It counts where the weekday agrees.
 */
function readBareDay(words: readonly Word[], weekday: Reading<number>, context: DateContext): Reading<number> | null {
  const at = weekday.next + 1;
  const day = words[weekday.next]?.text === "the" ? (readSmall(words, at) ?? readOrdinal(words, at)) : null;
  const nearest = day === null || day.value > 31 ? null : nearestDayOfMonth(day.value, context);
  return day !== null && nearest !== null && (nearest - weekday.value) % 7 === 0 ? certain(nearest, day.next) : null;
}

/** "the sixteen, please", where a day was asked for. At the end of a sentence it may be the beginning of "the sixteenth". */
function readCountedDay(words: readonly Word[], at: number, context: DateContext): Reading<number> | null {
  const day = words[at]?.text === "the" && isJoined(words[at + 1]) ? readSmall(words, at + 1) : null;
  const following = day === null ? undefined : words[day.next];
  const isOver = /^(?:please|then|would|works|is|suits|at|if)$/.test(following?.text ?? "");
  // "the one" and "the two" have too many other uses.
  const nearest = day === null || day.value < 3 || !isOver ? null : nearestDayOfMonth(day.value, context);
  return day === null || nearest === null ? null : certain(nearest, day.next);
}

/** As recognition may write it: 2026-03-04, 3/4/2026, 3/4. */
function findWritten(text: string, context: DateContext): Found<number> | null {
  const iso = /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/.exec(text);
  if (iso !== null) {
    const [, year = 0, month = 0, day = 0] = iso.map(Number);
    return isCalendarDate({ year, month, day }) ? at(iso, [dayNumberOf({ year, month, day })]) : null;
  }
  const slashes = /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/])/.exec(text);
  if (slashes === null) return null;
  const [, first = 0, second = 0] = slashes.map(Number);
  const orders = context.isDayFirst
    ? [
        [second, first],
        [first, second],
      ]
    : [
        [first, second],
        [second, first],
      ];
  const days = orders.flatMap(([month = 0, day = 0]) => slashDay(month, day, slashes[3], context) ?? []);
  return at(slashes, [...new Set(days)]);
}

function slashDay(month: number, day: number, written: string | undefined, context: DateContext): number | null {
  if (written === undefined) return nearestDay(month, day, context);
  const { year: thisYear } = dateOfDayNumber(context.today);
  const short = thisYear - (thisYear % 100) + Number(written);
  const year =
    written.length === 4 ? Number(written) : context.prefer === "past" && short > thisYear ? short - 100 : short;
  return isCalendarDate({ year, month, day }) ? dayNumberOf({ year, month, day }) : null;
}

function at(match: RegExpExecArray, [value, ...others]: readonly number[]): Found<number> | null {
  return value === undefined ? null : { value, others, start: match.index, end: match.index + match[0].length };
}
