import type { UsageGranularity } from "@parley/contract/usage";

export const PERIODS = ["day", "week", "month", "quarter"] as const;
export type Period = (typeof PERIODS)[number];

interface PeriodPlan {
  readonly granularity: UsageGranularity;
  readonly hours?: number;
  readonly days?: number;
}

export const PERIOD_PLANS: Readonly<Record<Period, PeriodPlan>> = {
  day: { granularity: "hour", hours: 24 },
  week: { granularity: "day", days: 7 },
  month: { granularity: "day", days: 30 },
  quarter: { granularity: "day", days: 90 },
};

export interface OverviewSearch {
  /** A week without it. */
  readonly period?: Period;
  readonly agentId?: string;
  /** Only with an agent: 0 is its drafts. */
  readonly agentVersion?: string;
}

/** Parses what the overview is about from the URL. What cannot be shown is dropped, so that old links still open. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const period = PERIODS.find((each) => each === search["period"]);
  const { agentId } = search;
  // The router parses numeric search parameters as numbers.
  const agentVersion = String(search["agentVersion"] ?? "");
  const isOfAgent = typeof agentId === "string" && agentId !== "";
  return {
    ...(period && period !== "week" ? { period } : {}),
    ...(isOfAgent ? { agentId } : {}),
    ...(isOfAgent && /^\d{1,7}$/.test(agentVersion) ? { agentVersion } : {}),
  };
}

/** The start of a period: days start at local midnight, hours on the hour. */
export function beginningOf(period: Period, now: Date): Date {
  const { hours, days } = PERIOD_PLANS[period];
  const from = new Date(now);
  if (hours !== undefined) {
    from.setMinutes(0, 0, 0);
    // In elapsed hours, not wall-clock hours, which may shift with daylight saving.
    return new Date(from.getTime() - (hours - 1) * 3_600_000);
  }
  from.setHours(0, 0, 0, 0);
  from.setDate(from.getDate() - ((days ?? 1) - 1));
  return from;
}
