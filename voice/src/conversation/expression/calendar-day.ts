const DAY_MS = 86_400_000;
const FIRST_DAY = dayOf(1, 1, 1);
const LAST_DAY = dayOf(9999, 12, 31);

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** Days since 1970 of a date such as `2026-01-31`, or null when there is no such day. */
export function parseDay(text: string): number | null {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim()) ?? [];
  if (year === "") return null;
  const found = dayOf(Number(year), Number(month), Number(day));
  return isDay(found) && formatDay(found) === `${year}-${month}-${day}` ? found : null;
}

export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a number is a day that can be written with four digits of the year. */
export function isDay(day: number): boolean {
  return Number.isInteger(day) && day >= FIRST_DAY && day <= LAST_DAY;
}

export function weekdayOf(day: number): string {
  return WEEKDAYS[new Date(day * DAY_MS).getUTCDay()] ?? "";
}

export function partsOfDay(day: number): {
  readonly year: number;
  readonly month: number;
  readonly dayOfMonth: number;
} {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() };
}

/** Minutes since midnight of a time such as `09:30`, or null. */
export function parseMinute(text: string): number | null {
  const [, hour = "", minute = ""] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  return hour === "" ? null : Number(hour) * 60 + Number(minute);
}

export function formatMinute(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

// `Date.UTC` takes the years 0 to 99 for those of the last century; setting them takes them as they are.
function dayOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS;
}
