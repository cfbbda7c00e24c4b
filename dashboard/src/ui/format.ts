import { locale } from "../languages/language.ts";
import { onFirstUse } from "./on-first-use.ts";

const DAY = onFirstUse(() => new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" }));
// Two digits of the hour only where the locale has 24 of them: 09:49, but 9:49 PM.
const CLOCK = onFirstUse(() => new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }));
const FULL = onFirstUse(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }));

/** A date and time in short: only the time for today, with the date for other days. */
export function formatMoment(iso: string, nowMs: number = Date.now()): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date(nowMs).toDateString();
  return isToday ? CLOCK().format(at) : `${DAY().format(at)}, ${CLOCK().format(at)}`;
}

export function formatFull(iso: string): string {
  return FULL().format(new Date(iso));
}

const WALL_CLOCK = onFirstUse(
  () => new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC" }),
);

/** The time of a date and time without a time zone, as it is where it was read. */
export function formatWallClock(localTime: string): string {
  return WALL_CLOCK().format(new Date(`${localTime}Z`));
}

/** An hour of the day, from its first to its last minute. */
export function formatHourOfDay(hour: number): string {
  const at = (minute: number) => CLOCK().format(new Date(2026, 0, 1, hour, minute));
  return `${at(0)}–${at(59)}`;
}

/** Seconds as minutes and seconds: 75 is 1:15. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const tail = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** An amount of the API in dollars, with all its decimals. */
export function formatUsd(amount: string): string {
  // As below, without the currencies of the world, which take a browser longer to load than a page to render.
  if (locale === "en-US" || locale === "en-GB") return amount.replace(/^(-?)/, "$1$$");
  const digits = amount.split(".")[1]?.length ?? 0;
  return Number(amount).toLocaleString(locale, {
    ...{ style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", useGrouping: false },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
}

/** A balance in dollars, rounded down to the cent. */
export function formatBalance(amount: string): string {
  const [whole = "0", decimals = ""] = amount.split(".");
  return formatUsd(`${whole}.${decimals.padEnd(2, "0").slice(0, 2)}`);
}

const REGIONS = onFirstUse(() => new Intl.DisplayNames(locale, { type: "region", fallback: "code" }));

/** A country by its ISO 3166 code, in the reader's language. */
export function formatCountry(code: string): string {
  return REGIONS().of(code) ?? code;
}
