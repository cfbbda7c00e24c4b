import { certain, type Found, findFirst, type Reading } from "./found.ts";
import { isZero, numeralOf, readSmall, unitOf } from "./small-numbers.ts";
import { isJoined, saysAt, type Word, wordsOf } from "./words.ts";

/** The default half of the day: from seven in the morning on, as is usual for appointments. */
const FIRST_HOUR = 7;

/**
 * The first time of day in a text, as "HH:MM" from midnight on. Without "am", "pm" or a part of the day, the likelier
 * one is the value and the time twelve hours away is the alternative.
 */
export function findTime(text: string, { isAsked = false }: TimeWanted = {}): Found<string> | null {
  const words = wordsOf(text);
  const saidPart = dayPartIn(words);
  return findFirst(words, (all, at) => readTime(all, at, saidPart, isAsked));
}

interface TimeWanted {
  /** Whether the text answers a question for a time, in which case a bare number is an hour. */
  readonly isAsked?: boolean;
}

function readTime(
  words: readonly Word[],
  at: number,
  saidPart: DayPart | null,
  isAsked: boolean,
): Reading<string> | null {
  const clock = readClock(words, at, isAsked);
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

/** A time as it was said. Which half of the day it is in may still be open. */
interface ClockTime {
  /** 0 to 23; 1 to 12 if the half of the day is open. */
  readonly hour: number;
  readonly minute: number;
  readonly isHalfKnown: boolean;
}

/** Said before an hour, these make a plain number a time. */
const LEAD_INS = new Set([
  "at",
  "by",
  "around",
  "about",
  "until",
  "till",
  "before",
  "after",
  "from",
  "between",
  "since",
]);

/** "noon", "2:30", "half past two", "quarter to nine", "two thirty", "two o'clock", "fourteen hundred", "at two". */
function readClock(words: readonly Word[], at: number, isAsked: boolean): Reading<ClockTime> | null {
  return (
    readNamed(words, at) ??
    readWritten(words, at) ??
    readRelative(words, at) ??
    readMilitary(words, at, isAsked) ??
    readHourAndMinute(words, at, isAsked)
  );
}

function known(hour: number, minute: number, next: number): Reading<ClockTime> {
  return certain({ hour, minute, isHalfKnown: true }, next);
}

function open(hour: number, minute: number, next: number): Reading<ClockTime> {
  return certain({ hour, minute, isHalfKnown: hour === 0 || hour > 12 }, next);
}

function readNamed(words: readonly Word[], at: number): Reading<ClockTime> | null {
  const hour = { noon: 12, midday: 12, midnight: 0 }[words[at]?.text ?? ""];
  return hour === undefined ? null : known(hour, 0, at + 1);
}

/** As recognition writes it. A leading zero counts from midnight. */
function readWritten(words: readonly Word[], at: number): Reading<ClockTime> | null {
  const found = /^(\d{1,2})[:.]([0-5]\d)$/.exec(words[at]?.text ?? "");
  if (found === null) return null;
  const [, hour = "", minute = ""] = found;
  if (Number(hour) > 23 || (words[at]?.text.includes(".") && !LEAD_INS.has(words[at - 1]?.text ?? ""))) return null;
  return hour.startsWith("0")
    ? known(Number(hour), Number(minute), at + 1)
    : open(Number(hour), Number(minute), at + 1);
}

/** "half past two", "a quarter to nine", "ten past six", "twenty minutes to five", and the British "half two". */
function readRelative(words: readonly Word[], at: number): Reading<ClockTime> | null {
  const start = words[at]?.text === "a" && words[at + 1]?.text === "quarter" ? at + 1 : at;
  const minutes = readMinutes(words, start);
  if (minutes === null) return null;
  const direction = words[minutes.next]?.text ?? "";
  const isPast = direction === "past" || direction === "after";
  const isBefore = direction === "to" || direction === "till" || direction === "before" || direction === "of";
  if (!isPast && !isBefore) {
    const half = words[start]?.text === "half" ? readHour(words, minutes.next) : null;
    return half === null ? null : open(half.value, 30, half.next);
  }
  const named = readNamed(words, minutes.next + 1);
  if (named !== null) {
    const hour = isPast ? named.value.hour : (named.value.hour + 23) % 24;
    return known(hour, isPast ? minutes.value : 60 - minutes.value, named.next);
  }
  const hour = readHour(words, minutes.next + 1);
  if (hour === null) return null;
  const next = words[hour.next]?.text === "o'clock" ? hour.next + 1 : hour.next;
  if (isPast) return open(hour.value, minutes.value, next);
  return open(hour.value === 1 ? 12 : hour.value - 1, 60 - minutes.value, next);
}

/** A quarter, a half, or a number of minutes. Without that word only the fives are said of a clock. */
function readMinutes(words: readonly Word[], at: number): Reading<number> | null {
  if (words[at]?.text === "quarter") return certain(15, at + 1);
  if (words[at]?.text === "half") return certain(30, at + 1);
  const numeral = numeralOf(words[at]);
  const count = numeral === null ? readSmall(words, at) : certain(numeral, at + 1);
  if (count === null || count.value < 1 || count.value > 59) return null;
  if (/^min(?:ute)?s?$/.test(words[count.next]?.text ?? "")) return certain(count.value, count.next + 1);
  return count.value % 5 === 0 ? count : null;
}

/** "fourteen hundred", "oh nine hundred hours". */
function readMilitary(words: readonly Word[], at: number, isAsked: boolean): Reading<ClockTime> | null {
  const isEarly = isZero(words[at]);
  const unit = isEarly ? unitOf(words[at + 1]) : null;
  const hour = unit === null ? readSmall(words, at) : certain(unit, at + 2);
  if (hour === null || words[hour.next]?.text !== "hundred" || hour.value > 23) return null;
  const hasHours = words[hour.next + 1]?.text === "hours";
  const isLate = isAsked && hour.value > 12;
  return isEarly || hasHours || isLate ? known(hour.value, 0, hour.next + (hasHours ? 2 : 1)) : null;
}

/** "two thirty", "nine oh five", "two o'clock", "two pm", and a bare hour where it can only be one. */
function readHourAndMinute(words: readonly Word[], at: number, isAsked: boolean): Reading<ClockTime> | null {
  const hour = readHour(words, at);
  if (hour === null) return null;
  if (words[hour.next]?.text === "o'clock" || saysAt(words, hour.next, ["o", "clock"])) {
    return open(hour.value, 0, hour.next + (words[hour.next]?.text === "o'clock" ? 1 : 2));
  }
  const minute = isJoined(words[hour.next]) ? readMinute(words, hour.next) : null;
  if (minute !== null) return open(hour.value, minute.value, minute.next);
  if (isCounted(words, hour.next)) return null;
  const hasSign = readHalf(words, hour.next) !== null || readDayPart(words, hour.next) !== null;
  const isTime =
    hasSign ||
    LEAD_INS.has(words[at - 1]?.text ?? "") ||
    isAlone(words, at, hour.next) ||
    (isAsked && isHourOf(words, at, hour.next));
  return isTime ? open(hour.value, 0, hour.next) : null;
}

function readMinute(words: readonly Word[], at: number): Reading<number> | null {
  if (isZero(words[at])) {
    const unit = isJoined(words[at + 1]) ? unitOf(words[at + 1]) : null;
    return unit === null ? null : certain(unit, at + 2);
  }
  const minute = readSmall(words, at);
  return minute === null || minute.value < 10 || minute.value > 59 ? null : minute;
}

function readHour(words: readonly Word[], at: number): Reading<number> | null {
  const numeral = numeralOf(words[at]);
  const hour = numeral === null ? readHourWord(words, at) : certain(numeral, at + 1);
  return hour !== null && Number.isInteger(hour.value) && hour.value >= 1 && hour.value <= 23 ? hour : null;
}

/** Only what clocks say: "twenty three" is an hour, but in "twenty thirty" the hour is twenty. */
function readHourWord(words: readonly Word[], at: number): Reading<number> | null {
  const small = readSmall(words, at);
  return small === null || small.value > 23 ? null : small;
}

/** The hour is all that was said, or all but for a filler. */
function isAlone(words: readonly Word[], at: number, next: number): boolean {
  const rest = [...words.slice(0, at), ...words.slice(next)];
  return rest.every(({ text }) => /^(?:uh|um|er|well|so|maybe|make|it|let's|say|please|okay|ok|then)$/.test(text));
}

/** Words beside a number that let it be the hour that was asked for. Beside others it counts something: "two dogs". */
const BEFORE_HOUR = new Set(
  "actually more nearer closer call put make take do that's better rather say for is it's be maybe no not so then it like just thing to or until probably perhaps um uh er well okay yes yeah sorry mean about".split(
    " ",
  ),
);
const AFTER_HOUR = new Set(
  "at because fine good great okay ok perfect best better ideal latest earliest i i'm i'll i've we it it's is would will should sharp works work please then or if that that's my so for as since and but maybe probably on when sounds suits just today tomorrow thanks thank exactly ish might could it'll one two three four five six seven eight nine ten eleven twelve".split(
    " ",
  ),
);

function isHourOf(words: readonly Word[], at: number, next: number): boolean {
  const [before, following] = [words[at - 1], words[next]];
  const isOpen = before === undefined || !isJoined(words[at]) || BEFORE_HOUR.has(before.text);
  return isOpen && (following === undefined || !isJoined(following) || AFTER_HOUR.has(following.text));
}

/** "About three minutes" is no time of day. */
function isCounted(words: readonly Word[], next: number): boolean {
  return (
    isJoined(words[next]) &&
    /^(?:min(?:ute)?s?|days?|weeks?|months?|years?|people|persons?|times|percent|dollars?|euros?|pounds?|bucks|quid|miles|kilos?)$/.test(
      words[next]?.text ?? "",
    )
  );
}

type DayHalf = "am" | "pm";
type DayPart = "morning" | "afternoon" | "evening" | "night";

/** How a part of the day is said after a time. The single words also stand elsewhere: "tomorrow morning at nine". */
const PHRASES: readonly (readonly [phrase: readonly string[], part: DayPart])[] = [
  [["in", "the", "morning"], "morning"],
  [["in", "the", "afternoon"], "afternoon"],
  [["in", "the", "evening"], "evening"],
  [["at", "night"], "night"],
  [["this", "morning"], "morning"],
  [["this", "afternoon"], "afternoon"],
  [["this", "evening"], "evening"],
  [["tonight"], "night"],
];
const SINGLE: Readonly<Record<string, DayPart>> = {
  morning: "morning",
  afternoon: "afternoon",
  evening: "evening",
  night: "night",
};

/** "pm", "p m", "p.m.": which half of the day a time is in. */
function readHalf(words: readonly Word[], at: number): Reading<DayHalf> | null {
  const text = words[at]?.text;
  if (text === "am" || text === "pm") return certain(text, at + 1);
  if (words[at + 1]?.text !== "m") return null;
  return text === "a" ? certain("am", at + 2) : text === "p" ? certain("pm", at + 2) : null;
}

function readDayPart(words: readonly Word[], at: number): Reading<DayPart> | null {
  const found = PHRASES.find(([phrase]) => saysAt(words, at, phrase));
  return found === undefined ? null : certain(found[1], at + found[0].length);
}

/** The part of the day that is said anywhere in a text. */
function dayPartIn(words: readonly Word[]): DayPart | null {
  for (let at = 0; at < words.length; at++) {
    // "good morning" says nothing about the time that is asked for.
    if (words[at - 1]?.text === "good") continue;
    const part = readDayPart(words, at)?.value ?? SINGLE[words[at]?.text ?? ""];
    if (part !== undefined) return part;
  }
  return null;
}

/** At night, eleven is before midnight and two is after it. */
function halfIn(part: DayPart, hour: number): DayHalf {
  if (part === "morning") return "am";
  if (part === "night") return hour >= 5 && hour < 12 ? "pm" : "am";
  return "pm";
}
