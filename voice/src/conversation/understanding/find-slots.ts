import type { AskNode } from "@parley/contract/flow-ask";
import { MONTH_NAMES, WEEKDAY_NAMES } from "@parley/flow/calendar";
import { NAMES_TO_NINETEEN, ordinalOf } from "../../text/number-names.ts";
import { findDate } from "../../text/values-in-speech/find-date.ts";
import { findTime } from "../../text/values-in-speech/find-time.ts";
import type { ReadingContext } from "./answer.ts";

/** The third judge: facts that the callee volunteers. */
export interface Slots {
  /** As `2026-01-31`. Several readings of the same words are all kept, likeliest first. */
  readonly dates: readonly string[];
  /** As `09:30`. */
  readonly times: readonly string[];
}

/** The days and times of day in a text. */
export function findSlots(text: string, { nowMs, timeZone, isDayFirst }: ReadingContext): Slots {
  const dates: string[] = [];
  const times: string[] = [];
  for (const clause of text.split(/[.?!;]|,(?=\s)|\bbut\b|\bnot\b|\bno\b/i)) {
    const date = isIdle(clause) ? null : findDate(clause, { nowMs, timeZone, isDayFirst, prefer: "future" });
    if (date !== null) dates.push(date.value, ...date.others);
    // Words that state a date may look like a time as well: "the third", "march tenth".
    const rest = date === null ? clause : `${clause.slice(0, date.start)} ; ${clause.slice(date.end)}`;
    const time = findTime(rest);
    if (time !== null) times.push(time.value, ...time.others);
  }
  return { dates: [...new Set(dates)], times: [...new Set(times)] };
}

/** "one day", "these days", "a second": no moment is named. */
function isIdle(clause: string): boolean {
  return /\b(?:the first (?:one|option|choice|thing|time)|the second (?:one|option|choice|time)|first of all|in the first place|second thoughts?|for a second|a second|every day|these days|some day|one day|all day)\b/i.test(
    clause,
  );
}

/** Whether a text names a day or a time other than the known ones. */
export function namesOther(said: Slots, known: Slots): boolean {
  const isOther = (values: readonly string[], others: readonly string[]) =>
    values.length > 0 && !values.some((value) => others.includes(value));
  return isOther(said.dates, known.dates) || isOther(said.times, known.times);
}

/** Whether an answer to this question is a day or a time. */
export function asksForMoment({ answer }: Pick<AskNode, "answer">): boolean {
  return answer === "date" || answer === "time";
}

const MOMENT_WORDS = new Set([
  ...[...WEEKDAY_NAMES, ...MONTH_NAMES].map((name) => name.toLowerCase()),
  ...NAMES_TO_NINETEEN.flatMap((name) => [name, ordinalOf(name)]),
  ..."twenty thirty forty fifty twentieth thirtieth next week month day days weeks morning afternoon evening noon lunch o'clock clock past half quarter am pm a m p weekend after".split(
    " ",
  ),
]);

/** Whether a word is one of those that name a day or a time. */
export function saysMoment(word: string): boolean {
  return MOMENT_WORDS.has(word) || /^\d/.test(word);
}
