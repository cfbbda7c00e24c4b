import { dateOfDayNumber, parseDay, parseMinute, WEEKDAY_NAMES, weekdayOf } from "@parley/flow/calendar";
import { packOf } from "../../languages/language-pack.ts";
import { dateWords } from "../../text/to-speech/dates.ts";
import { digitWords } from "../../text/to-speech/number-words.ts";
import { phoneWords } from "../../text/to-speech/phone-numbers.ts";
import { clockWords } from "../../text/to-speech/times.ts";
import { styleOf } from "../../text/to-speech/to-speech.ts";

/** How a collected value is read out. */
export type SpokenKind = "text" | "number" | "boolean" | "date" | "time" | "phone" | "digits";

export interface SpeakingContext {
  readonly language: string;
  /** Days since 1970, in the callee's time zone. */
  readonly today: number;
}

/** A year is said when the day is further away than this; nearer, it is clear without. */
const YEARLESS_DAYS = 300;
/** Longer rows of digits are said in groups, so that they can be followed. */
const DIGITS_GROUP = 4;

/** A value as it is said in a sentence. An unknown value is empty. */
export function speakValue(value: unknown, kind: SpokenKind, context: SpeakingContext): string {
  if (value === null || value === undefined) return "";
  const pack = packOf(context.language);
  const { yes, no } = pack?.spoken ?? { yes: "yes", no: "no" };
  if (typeof value === "boolean") return value ? yes : no;
  const text = String(value);
  switch (kind) {
    case "date":
      return speakDate(text, context) ?? text;
    case "time":
      return speakTime(text, context) ?? text;
    case "phone":
      return pack === null ? (phoneWords(text) ?? digitWords(text)) : groups(text, spaced);
    case "digits":
      return groups(text, pack === null ? digitWords : spaced);
    default:
      return text;
  }
}

function groups(text: string, say: (digits: string) => string): string {
  return (text.match(new RegExp(`\\d{1,${DIGITS_GROUP}}`, "g")) ?? []).map(say).join(", ");
}

/** Voices of other languages know the names of digits. */
function spaced(digits: string): string {
  return [...digits].join(" ");
}

/** "Thursday, March fifth". The weekday helps to notice a mistake. */
function speakDate(text: string, { language, today }: SpeakingContext): string | null {
  const dayNumber = parseDay(text);
  if (dayNumber === null) return null;
  if (!isEnglish(language)) {
    const style = { timeZone: "UTC", weekday: "long", day: "numeric", month: "long" } as const;
    return new Intl.DateTimeFormat(language, style).format(dayNumber * 86_400_000);
  }
  const { year, month, day } = dateOfDayNumber(dayNumber);
  const isNear = Math.abs(dayNumber - today) <= YEARLESS_DAYS;
  const date = dateWords({ year: isNear ? null : year, month, day }, styleOf(language));
  return `${WEEKDAY_NAMES[weekdayOf(dayNumber)]}, ${date}`;
}

function speakTime(text: string, { language }: SpeakingContext): string | null {
  const minuteOfDay = parseMinute(text);
  if (minuteOfDay === null) return null;
  const [hour, minute] = [Math.floor(minuteOfDay / 60), minuteOfDay % 60];
  if (isEnglish(language)) return clockWords({ hour, minute, meridiem: null, is24Hour: true });
  const style = { timeZone: "UTC", hour: "numeric", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat(language, style).format(minuteOfDay * 60_000);
}

function isEnglish(language: string): boolean {
  return /^en(?:-|$)/i.test(language);
}
