import type { UsageGranularity } from "@parley/contract/usage";
import { type Grouping, readUsageScope } from "../usage/usage-search.ts";

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
  /** What the ended calls are grouped by: agents without it, or the versions of the agent. */
  readonly by?: OverviewGrouping;
}

const OVERVIEW_GROUPINGS = ["agent", "version", "engine", "outcome", "hour"] as const satisfies readonly Grouping[];
export type OverviewGrouping = (typeof OVERVIEW_GROUPINGS)[number];

/** What calls can be grouped by: by agent if they are of all agents, by version if they are of one. */
export function groupingsOf({ agentId }: OverviewSearch): readonly OverviewGrouping[] {
  const other = agentId === undefined ? "version" : "agent";
  return OVERVIEW_GROUPINGS.filter((each) => each !== other);
}

/** The chosen grouping, or the first that there is. */
export function groupingOf(search: OverviewSearch): OverviewGrouping {
  const choices = groupingsOf(search);
  return choices.find((each) => each === search.by) ?? choices[0] ?? "outcome";
}

/** Parses what the overview is about from the URL. What cannot be shown is dropped, so that old links still open. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const period = PERIODS.find((each) => each === search["period"]);
  const { engine: _, ...ofAgent } = readUsageScope(search);
  const by = groupingsOf(ofAgent).find((each, index) => index > 0 && each === search["by"]);
  return {
    ...(period && period !== "week" ? { period } : {}),
    ...ofAgent,
    ...(by ? { by } : {}),
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
