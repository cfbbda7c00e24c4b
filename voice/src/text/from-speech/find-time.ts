import { type DayHalf, type DayPart, dayPartIn, halfIn, readDayPart, readHalf } from "./day-part.ts";
import { certain, type Found, findFirst, type Reading } from "./found.ts";
import { type ClockTime, readClock } from "./read-clock.ts";
import { type Word, wordsOf } from "./words.ts";

/** When nobody says which half of the day: from seven in the morning on, as appointments are made. */
const FIRST_HOUR = 7;

/**
 * The first time of day in a text, as "HH:MM" from midnight on. Without "am", "pm" or a part of the day, the likelier one
 * is the value and the same time twelve hours away is the other.
 */
export function findTime(text: string): Found<string> | null {
  const words = wordsOf(text);
  const saidPart = dayPartIn(words);
  return findFirst(words, (all, at) => readTime(all, at, saidPart));
}

function readTime(words: readonly Word[], at: number, saidPart: DayPart | null): Reading<string> | null {
  const clock = readClock(words, at);
  if (clock === null) return null;
  const half = readHalf(words, clock.next);
  if (half !== null && clock.value.hour <= 12) return certain(written(inHalf(clock.value, half.value)), half.next);
  const part = readDayPart(words, clock.next);
  const [value, ...others] = timesOf(clock.value, part?.value ?? saidPart).map(written);
  return value === undefined ? null : { value, others, next: part?.next ?? clock.next };
}

function timesOf(clock: ClockTime, part: DayPart | null): ClockTime[] {
  if (clock.isHalfKnown) return [clock];
  if (part !== null) return [inHalf(clock, halfIn(part, clock.hour))];
  const morning = inHalf(clock, "am");
  const later = inHalf(clock, "pm");
  return clock.hour >= FIRST_HOUR && clock.hour < 12 ? [morning, later] : [later, morning];
}

function inHalf({ hour, minute }: ClockTime, half: DayHalf): ClockTime {
  return { hour: (hour % 12) + (half === "pm" ? 12 : 0), minute, isHalfKnown: true };
}

function written({ hour, minute }: ClockTime): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
