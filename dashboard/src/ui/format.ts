const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A date and time in short: only the time for today, with the date for other days. */
export function formatMoment(iso: string, nowMs: number = Date.now()): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date(nowMs).toDateString();
  return isToday ? CLOCK.format(at) : `${DAY.format(at)}, ${CLOCK.format(at)}`;
}

export function formatFull(iso: string): string {
  return FULL.format(new Date(iso));
}

const HOUR = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });

/** An hour of the day, from its first to its last minute. */
export function formatHourOfDay(hour: number): string {
  const at = (minute: number) => HOUR.format(new Date(2026, 0, 1, hour, minute));
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

/** An amount of the API in dollars, with a minus sign before the currency. */
export function formatUsd(amount: string): string {
  return amount.startsWith("-") ? `-$${amount.slice(1)}` : `$${amount}`;
}

/** A balance in dollars, rounded down to the cent. */
export function formatBalance(amount: string): string {
  const [whole = "0", decimals = ""] = amount.split(".");
  return formatUsd(`${whole}.${decimals.padEnd(2, "0").slice(0, 2)}`);
}

let regions: Intl.DisplayNames | undefined;

/** A country by its ISO 3166 code, in the reader's language. */
export function formatCountry(code: string): string {
  // Created on first use: it is slow to create, and most pages never need it.
  regions ??= new Intl.DisplayNames(undefined, { type: "region", fallback: "code" });
  return regions.of(code) ?? code;
}
