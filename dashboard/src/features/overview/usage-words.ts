import type { UsageGranularity } from "@parley/contract/usage";

const WHOLE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const HOUR = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY_AND_HOUR = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" });

export const formatCount = (value: number): string => WHOLE.format(value);
export const formatShare = (value: number): string => `${WHOLE.format(value)} %`;

/** Minutes to the tenth while there are few of them. */
export const formatMinutes = (value: number): string => (value < 100 ? TENTHS : WHOLE).format(value);

/** Milliseconds as people compare them: under a second to the millisecond, above it to the tenth of a second. */
export function formatDelay(ms: number): string {
  return ms < 1000 ? `${WHOLE.format(ms)} ms` : `${TENTHS.format(ms / 1000)} s`;
}

/** Dollars of a scale: cents, and more where there is less than a cent. */
export function formatDollars(value: number): string {
  const digits = value !== 0 && value < 0.1 ? 4 : 2;
  return `$${value.toFixed(digits)}`;
}

export function formatBucket(start: string, granularity: UsageGranularity): string {
  const at = new Date(start);
  if (granularity === "day") return DAY.format(at);
  return at.toDateString() === new Date().toDateString() ? HOUR.format(at) : DAY_AND_HOUR.format(at);
}

/** Of so many, in percent; null of none. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? (100 * part) / whole : null;
}
