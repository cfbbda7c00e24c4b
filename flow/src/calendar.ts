export const MONTH_NAMES: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** In the order of `Date.getUTCDay`. */
export const WEEKDAY_NAMES: readonly string[] = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
];

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A calendar day, without a time and a time zone. */
export interface CalendarDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** Days with a four-digit year, the limit of what can be written. */
const FIRST_DAY = dayNumberOf({ year: 1, month: 1, day: 1 });
const LAST_DAY = dayNumberOf({ year: 9999, month: 12, day: 31 });

export function daysInMonth(year: number, month: number): number {
  return dateOfDayNumber(dayNumberOf({ year, month: month + 1, day: 0 })).day;
}

export function isCalendarDate({ year, month, day }: CalendarDate): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Whole days since 1970. Counting them makes calendar arithmetic simple, because no day here has 23 hours. */
export function dayNumberOf({ year, month, day }: CalendarDate): number {
  // `Date.UTC` maps the years 0 to 99 to the last century; setting them does not.
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS;
}

/** Whether a number is a day that can be written. */
export function isDay(dayNumber: number): boolean {
  return Number.isInteger(dayNumber) && dayNumber >= FIRST_DAY && dayNumber <= LAST_DAY;
}

export function dateOfDayNumber(dayNumber: number): CalendarDate {
  const date = new Date(dayNumber * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 is Sunday. */
export function weekdayOf(dayNumber: number): number {
  return (((dayNumber + 4) % 7) + 7) % 7;
}

export function isoDateOf({ year, month, day }: CalendarDate): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The number of a day such as `2026-01-31`, or null when there is no such day. */
export function parseDay(text: string): number | null {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim()) ?? [];
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  return year !== "" && isCalendarDate(date) ? dayNumberOf(date) : null;
}

export function formatDay(dayNumber: number): string {
  return isoDateOf(dateOfDayNumber(dayNumber));
}

/** One per time zone: creating a format takes ten times as long as using it, and every question asks for today. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormatOf(timeZone: string): Intl.DateTimeFormat {
  const known = dateFormats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "numeric", day: "numeric" });
  dateFormats.set(timeZone, format);
  return format;
}

/** The current day in a time zone. */
export function localDateOf(nowMs: number, timeZone: string): CalendarDate {
  const parts = dateFormatOf(timeZone)
    .formatToParts(nowMs)
    .map(({ type, value }) => [type, Number(value)] as const);
  const { year = 0, month = 0, day = 0 } = Object.fromEntries(parts);
  return { year, month, day };
}

/** Minutes since midnight of a time such as `09:30`, or null. */
export function parseMinute(text: string): number | null {
  const [, hour = "", minute = ""] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  return hour === "" ? null : Number(hour) * 60 + Number(minute);
}

export function formatMinute(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
