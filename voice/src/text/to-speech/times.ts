import { cardinalWords } from "./number-words.ts";
import { type SpeechRule, sentenceEnd } from "./speech-rule.ts";

type Meridiem = "am" | "pm";

interface ClockToSay {
  readonly hour: number;
  readonly minute: number;
  readonly meridiem: Meridiem | null;
  /** Whether the hour counts from midnight, which determines the half of the day. */
  readonly is24Hour: boolean;
}

const MERIDIEM = "(a\\.m\\.|p\\.m\\.|am|pm|a\\.m|p\\.m)";
const CLOCK = `(\\d{1,2}):([0-5]\\d)(?::[0-5]\\d)?(?:\\s?${MERIDIEM})?`;
const HOUR = `(\\d{1,2})\\s?${MERIDIEM}`;
const END = "(?![\\dA-Za-z]|[:.]\\d)";
/** The start of a time span: what is missing before the dash is taken from after it. */
const SPAN_START = "(\\d{1,2})(?::([0-5]\\d))?(?:\\s?(a\\.m\\.|p\\.m\\.|am|pm))?\\s?[-–]\\s?";

export const TIMES: readonly SpeechRule[] = [
  {
    pattern: new RegExp(`${SPAN_START}(?:${CLOCK}|${HOUR})${END}`, "iy"),
    say: ({ groups, after }) => {
      const [
        written = "",
        startHour = "",
        startMinute,
        startMeridiem,
        clockHour,
        minute,
        clockMeridiem,
        hour,
        meridiem,
      ] = groups;
      if (startMinute === undefined && startMeridiem === undefined && hour === undefined) return null;
      const end = wordsOf(clockHour ?? hour ?? "", minute, clockMeridiem ?? meridiem);
      const hasMeridiem = (clockMeridiem ?? meridiem) !== undefined;
      const start = wordsOf(startHour, startMinute, startMeridiem, hasMeridiem);
      return start === null || end === null ? null : `${start} to ${end}${sentenceEnd(written, after)}`;
    },
  },
  {
    pattern: new RegExp(`${CLOCK}${END}`, "iy"),
    say: ({ groups, after }) => {
      const [written = "", hour = "", minute, meridiem] = groups;
      const words = wordsOf(hour, minute, meridiem);
      return words === null ? null : words + sentenceEnd(written, after);
    },
  },
  {
    pattern: new RegExp(`${HOUR}${END}`, "iy"),
    say: ({ groups, after }) => {
      const [written = "", hour = "", meridiem] = groups;
      const words = wordsOf(hour, undefined, meridiem);
      return words === null ? null : words + sentenceEnd(written, after);
    },
  },
];

/**
 * "two thirty P M", "nine oh five", "ten o'clock", "noon". The letters of A M stand apart, because together they are a
 * word. Null for an hour that no clock shows.
 */
export function clockWords({ hour, minute, meridiem, is24Hour }: ClockToSay): string | null {
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return null;
  if (meridiem !== null && (hour < 1 || hour > 12)) return null;
  const half = meridiem ?? (is24Hour ? (hour % 24 < 12 ? "am" : "pm") : null);
  if (minute === 0 && half !== null && hour % 12 === 0) return half === "am" ? "midnight" : "noon";
  const hourWords = cardinalWords(hour % 12 === 0 ? 12 : hour % 12);
  const letters = half === null ? "" : half === "am" ? " A M" : " P M";
  if (minute === 0) return half === null ? `${hourWords} o'clock` : hourWords + letters;
  return `${hourWords} ${minute < 10 ? "oh " : ""}${cardinalWords(minute)}${letters}`;
}

function wordsOf(hour: string, minute: string | undefined, meridiem?: string, isHalfKnown = false): string | null {
  const count = Number(hour);
  // "9:30" may be either half of the day, "09:30" and "14:30" are not.
  const is24Hour = meridiem === undefined && !isHalfKnown && (hour.startsWith("0") || count > 12);
  const words = clockWords({
    hour: count,
    minute: Number(minute ?? 0),
    meridiem: meridiem === undefined ? null : /^a/i.test(meridiem) ? "am" : "pm",
    is24Hour,
  });
  return isHalfKnown && words !== null ? words.replace(" o'clock", "") : words;
}
