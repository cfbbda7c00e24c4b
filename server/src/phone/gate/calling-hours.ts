import type { CallingHours } from "@parley/contract/gate";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
// Each step leads to a later opening of one zone. A few days hold no more of them than this, also for many zones.
const STEPS_MAX = 1000;

/** The hours that all of several rules allow; null when they have none in common, undefined when there is no rule. */
export function commonHours(rules: readonly (CallingHours | null)[]): CallingHours | null | undefined {
  const set = rules.filter((rule) => rule !== null);
  const [first, ...others] = set;
  if (first === undefined) return undefined;
  const common = others.reduce(
    (sum, each) => ({
      start: each.start > sum.start ? each.start : sum.start,
      end: each.end < sum.end ? each.end : sum.end,
    }),
    first,
  );
  return common.start < common.end ? common : null;
}

/** Whether a moment lies in the hours in every one of the zones. */
export function isWithinHours(hours: CallingHours, zones: readonly string[], atMs: number): boolean {
  return zones.every((zone) => isOpen(hours, minuteOfDay(zone, atMs)));
}

/**
 * The first moment from `fromMs` on, before `untilMs`, that lies in the hours in every zone; null when there is none. It
 * goes from opening to opening: a clock that is put forward or back is met by asking again at each of them.
 */
export function nextOpening(
  hours: CallingHours,
  zones: readonly string[],
  fromMs: number,
  untilMs: number,
): number | null {
  let atMs = fromMs;
  for (let step = 0; step < STEPS_MAX && atMs < untilMs; step += 1) {
    const closed = zones.find((zone) => !isOpen(hours, minuteOfDay(zone, atMs)));
    if (closed === undefined) return atMs;
    // Whole minutes, so that the opening itself is met and not some seconds after it.
    atMs = Math.max(openingAfter(hours, closed, Math.floor(atMs / MINUTE_MS) * MINUTE_MS), atMs + 1);
  }
  return null;
}

function openingAfter(hours: CallingHours, zone: string, fromMs: number): number {
  const start = toMinutes(hours.start);
  const waitMinutes = (start - minuteOfDay(zone, fromMs) + DAY_MINUTES) % DAY_MINUTES;
  const opensMs = fromMs + waitMinutes * MINUTE_MS;
  // A clock that was put forward meanwhile is past the opening by as much.
  const lateMinutes = minuteOfDay(zone, opensMs) - start;
  return lateMinutes > 0 && lateMinutes < waitMinutes ? opensMs - lateMinutes * MINUTE_MS : opensMs;
}

/** How long a call may wait for the hours to begin. */
export const HOURS_WAIT_MAX_MS = DAY_MS;

function isOpen({ start, end }: CallingHours, minute: number): boolean {
  return minute >= toMinutes(start) && minute < toMinutes(end);
}

function toMinutes(timeOfDay: string): number {
  return Number(timeOfDay.slice(0, 2)) * 60 + Number(timeOfDay.slice(3));
}

const formats = new Map<string, Intl.DateTimeFormat>();

function minuteOfDay(zone: string, atMs: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  formats.set(zone, format);
  return toMinutes(format.format(atMs));
}
