import { findNumber } from "../../text/values-in-speech/find-number.ts";
import type { ReadingContext } from "./answer.ts";
import { findSlots } from "./find-slots.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * When a callee would like to be called, where the callee is: `2026-01-31 17:00`, a day without a time, or `later` if
 * no moment was named. A time without a day is the next such time.
 */
export function findCallback(said: string, reading: ReadingContext): string {
  const { nowMs, timeZone } = reading;
  const waitMs = findWait(said);
  if (waitMs !== null) return momentAt(nowMs + waitMs, timeZone);
  const { dates, times } = findSlots(said, reading);
  const [date, time] = [dates[0], times[0]];
  if (time === undefined) return date ?? "later";
  if (date !== undefined) return `${date} ${time}`;
  const [today = "", now = ""] = momentAt(nowMs, timeZone).split(" ");
  const [tomorrow = ""] = momentAt(nowMs + DAY_MS, timeZone).split(" ");
  return `${time > now ? today : tomorrow} ${time}`;
}

/** "in an hour", "in about twenty minutes". */
function findWait(said: string): number | null {
  const [, amount = "", unit = ""] =
    /\bin (?:about |around |maybe |like )?([\w\s-]{1,30}?) ?(minutes?|hours?)\b/i.exec(said) ?? [];
  if (unit === "") return null;
  const unitMs = /^hour/i.test(unit) ? 60 * MINUTE_MS : MINUTE_MS;
  if (/^half an$/i.test(amount.trim())) return unitMs / 2;
  if (/^an?$/i.test(amount.trim())) return unitMs;
  if (/^(?:a )?couple(?: of)?$/i.test(amount.trim())) return 2 * unitMs;
  const count = findNumber(amount)?.value ?? null;
  return count === null || count <= 0 || count * unitMs > DAY_MS ? null : count * unitMs;
}

/** The Swedish format is the same as ours. */
function momentAt(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(ms);
}
