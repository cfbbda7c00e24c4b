import type { UsageGranularity } from "@parley/contract/usage";

export const PRESETS = ["today", "week", "month", "quarter"] as const;
export type Preset = (typeof PRESETS)[number];
const PRESET_DAYS: Readonly<Record<Preset, number>> = { today: 1, week: 7, month: 30, quarter: 90 };

/** What calls are grouped by. */
export const GROUPINGS = ["outcome", "agent", "version", "engine", "day", "hour", "key"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What the chart shows. */
export const MEASURES = ["calls", "minutes", "cost", "response", "interruptions"] as const;
export type Measure = (typeof MEASURES)[number];

const COLUMNS = [
  "name",
  "calls",
  "answered",
  "completed",
  "minutes",
  "cost",
  "response",
  "slowest",
  "interrupted",
  "incidents",
] as const;
export type Column = (typeof COLUMNS)[number];
/** A column, with a minus sign for descending. */
export type RowOrder = Column | `-${Column}`;

/** What the page shows. It is part of the URL, so that it can be bookmarked and shared. */
export interface UsageSearch {
  /** 30 days without it. */
  readonly period?: Preset;
  /** The first and the last day of other periods, both included, in the reader's time zone. */
  readonly from?: string;
  readonly to?: string;
  readonly agentId?: string;
  /** Only with an agent: 0 is its drafts. */
  readonly agentVersion?: string;
  readonly engine?: string;
  /** The outcome without it. */
  readonly by?: Grouping;
  /** Calls without it. */
  readonly measure?: Measure;
  /** As the API orders groups without it. */
  readonly sort?: RowOrder;
}

/** The calls that are counted, apart from the period. */
export type UsageScope = Pick<UsageSearch, "agentId" | "agentVersion" | "engine">;

/** Reads the agent, its version and the engine from an address, where the router parses numbers as numbers. */
export function readUsageScope(search: Record<string, unknown>): UsageScope {
  const { agentId, engine } = search;
  const agentVersion = String(search["agentVersion"] ?? "");
  const isOfAgent = typeof agentId === "string" && agentId !== "";
  return {
    ...(isOfAgent ? { agentId } : {}),
    ...(isOfAgent && /^\d{1,6}$/.test(agentVersion) ? { agentVersion } : {}),
    ...(typeof engine === "string" && engine !== "" ? { engine: engine.slice(0, 64) } : {}),
  };
}

/** The longest period of the API is 366 days of 24 hours, and one day of a year has 25. */
const DAYS_MAX = 365;

/** Parses what the page shows from the URL. What cannot be shown is dropped, so that old links still open. */
export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const period = PRESETS.find((each) => each === search["period"]);
  const by = GROUPINGS.find((each) => each === search["by"]);
  const measure = MEASURES.find((each) => each === search["measure"]);
  const sort = COLUMNS.flatMap((each) => [each, `-${each}`] as const).find((each) => each === search["sort"]);
  const { from, to } = search;
  const isCustom = typeof from === "string" && typeof to === "string" && problemOfDays(from, to) === null;
  return {
    ...(isCustom ? { from, to } : period && period !== "month" ? { period } : {}),
    ...readUsageScope(search),
    ...(by && by !== "outcome" ? { by } : {}),
    ...(measure && measure !== "calls" ? { measure } : {}),
    ...(sort ? { sort } : {}),
  };
}

type DaysProblem = "missing" | "reversed" | "too_long";

/** Why two days are not a period, or null. */
export function problemOfDays(from: string, to: string): DaysProblem | null {
  if (!isDay(from) || !isDay(to)) return "missing";
  if (from > to) return "reversed";
  return daysBetween(startOf(from), startOf(to)) >= DAYS_MAX ? "too_long" : null;
}

interface Span {
  readonly from: Date;
  readonly to: Date;
}

export interface UsagePeriod extends Span {
  readonly days: number;
  /** As long as the period so far, directly before it. */
  readonly previous: Span;
  readonly granularity: UsageGranularity;
}

/** The period that the page shows: whole days in the reader's time zone, of which the last may not be over. */
export function choosePeriod({ period = "month", from, to }: UsageSearch, now: Date): UsagePeriod {
  const isCustom = from !== undefined && to !== undefined;
  const today = startOf(dayOf(now));
  const first = isCustom ? startOf(from) : shift(today, 1 - PRESET_DAYS[period]);
  const end = shift(isCustom ? startOf(to) : today, 1);
  const days = daysBetween(first, end);
  const isUnfinished = first < now && now < end;
  return {
    from: first,
    to: isUnfinished ? now : end,
    days,
    previous: { from: shift(first, -days), to: isUnfinished ? shift(now, -days) : first },
    granularity: days === 1 ? "hour" : "day",
  };
}

/** The first and the last day of a period, for fields. */
export function daysOf({ from, days }: UsagePeriod): { readonly from: string; readonly to: string } {
  return { from: dayOf(from), to: dayOf(shift(from, days - 1)) };
}

/** A day of the reader's calendar, such as 2026-06-15. */
export function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A day of the reader's calendar, from its first moment up to that of the next day. */
export function spanOfDay(day: string): Span {
  const from = startOf(day);
  return { from, to: shift(from, 1) };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(startOf(text)) === text;
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00`);
}

/** The same time of the day, some days later. */
function shift(date: Date, days: number): Date {
  const shifted = new Date(date);
  shifted.setDate(shifted.getDate() + days);
  return shifted;
}

/** Days of the calendar, which may have 23 or 25 hours. */
function daysBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / 86_400_000);
}
