import type { UsageGranularity } from "@parley/contract/usage";

export const PERIODS = ["day", "week", "month", "quarter"] as const;
export type Period = (typeof PERIODS)[number];

interface PeriodPlan {
  readonly label: string;
  readonly words: string;
  readonly granularity: UsageGranularity;
  readonly hours?: number;
  readonly days?: number;
}

export const PERIOD_PLANS: Readonly<Record<Period, PeriodPlan>> = {
  day: { label: "24 h", words: "the last 24 hours", granularity: "hour", hours: 24 },
  week: { label: "7 d", words: "the last 7 days", granularity: "day", days: 7 },
  month: { label: "30 d", words: "the last 30 days", granularity: "day", days: 30 },
  quarter: { label: "90 d", words: "the last 90 days", granularity: "day", days: 90 },
};

interface OverviewSearch {
  readonly period?: Period;
}

/** Parses the period from the URL; the default is a week. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const period = PERIODS.find((each) => each === search["period"]);
  return period && period !== "week" ? { period } : {};
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
