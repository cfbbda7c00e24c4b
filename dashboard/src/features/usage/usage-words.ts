import type { UsageGranularity } from "@parley/contract/usage";
import { formatCount, formatDollars, formatMinutes, formatPercent } from "../../ui/figures.ts";
import { formatHourOfDay } from "../../ui/format.ts";
import { outcomeLabel, versionLabel } from "../calls/call-labels.ts";
import type { Change, UsageCard } from "./usage-figures.ts";
import type { Column, Grouping, Measure, Preset, problemOfDays, UsagePeriod, UsageSearch } from "./usage-search.ts";

export const PRESET_LABELS: Readonly<Record<Preset | "custom", string>> = {
  today: "Today",
  week: "7 d",
  month: "30 d",
  quarter: "90 d",
  custom: "Custom",
};

export const GROUPING_LABELS: Readonly<Record<Grouping, string>> = {
  outcome: "Outcome",
  agent: "Agent",
  version: "Version",
  engine: "Engine",
  hour: "Hour of the day",
  key: "API key",
};

export const GROUPING_TITLES: Readonly<Record<Grouping, string>> = {
  outcome: "By outcome",
  agent: "By agent",
  version: "By version",
  engine: "By engine",
  hour: "By hour of the day",
  key: "By API key",
};

export const MEASURE_LABELS: Readonly<Record<Measure, string>> = { calls: "Calls", minutes: "Minutes", cost: "Cost" };

export const MEASURE_FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  calls: formatCount,
  minutes: formatMinutes,
  cost: formatDollars,
};

export const COLUMN_LABELS: Readonly<Record<Exclude<Column, "name">, string>> = {
  calls: "Calls",
  answered: "Answered",
  completed: "Completed",
  minutes: "Minutes",
  cost: "Cost",
  interrupted: "Interrupted",
  incidents: "Problems",
};

/** What the columns of the table count, for those whose name does not say it. */
export const COLUMN_NOTES: Partial<Readonly<Record<Column, string>>> = {
  answered: "Share of calls answered by a person or a machine",
  completed: "Share of calls that did not fail",
  minutes: "Talk time, from answer to end",
  interrupted: "Share of the agent’s replies that callees interrupted",
  incidents: "Failures on our side",
};

export const CARD_LABELS: Readonly<Record<UsageCard["id"], string>> = {
  calls: "Calls",
  answered: "Answered",
  completed: "Completed",
  minutes: "Minutes",
  cost: "Cost",
  response: "Response time",
};

export const DAYS_PROBLEMS: Readonly<Record<NonNullable<ReturnType<typeof problemOfDays>>, string>> = {
  missing: "Enter both dates.",
  reversed: "The first date must not be after the last.",
  too_long: "Choose at most one year.",
};

const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const DAY_AND_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const LONG_DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", month: "short", day: "numeric" });
const HOUR = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });

const PRESET_WORDS: Readonly<Record<Preset, string>> = {
  today: "today",
  week: "in the last 7 days",
  month: "in the last 30 days",
  quarter: "in the last 90 days",
};

/** When something happened, for the end of a sentence. */
export function periodInWords({ period = "month", from, to }: UsageSearch, chosen: UsagePeriod): string {
  if (from === undefined || to === undefined) return PRESET_WORDS[period];
  if (chosen.days === 1) return `on ${DAY_AND_YEAR.format(chosen.from)}`;
  // The end is the first moment after the period.
  return `in the chosen period (${DAY_AND_YEAR.formatRange(chosen.from, new Date(chosen.to.getTime() - 1))})`;
}

/** What the period is compared with. */
export function comparisonInWords({ period = "month", from }: UsageSearch, { days }: UsagePeriod): string {
  if (from === undefined && period === "today") return "vs. yesterday at this time";
  return days === 1 ? "vs. the day before" : `vs. previous ${days} days`;
}

/** A day or an hour, for the ends of the scale and for reading a bar. */
export function bucketInWords(start: string, granularity: UsageGranularity, isLong: boolean): string {
  const at = new Date(start);
  if (granularity === "hour") return HOUR.format(at);
  return (isLong ? LONG_DAY : DAY).format(at);
}

const TENTHS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const SMALL_PERCENT = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
/** Changes that are rounded away are none. */
const SAME = 0.0005;
/** A change of more than this says only that there was little before. */
const FAR = 10;

export function changeInWords({ kind, amount }: Change): string {
  const size = Math.abs(amount);
  if (size < SAME) return "No change";
  const sign = amount > 0 ? "+" : "−";
  if (kind === "points") return `${sign}${TENTHS.format(100 * size)} points`;
  if (size > FAR) return `Over ${formatCount(FAR)} times as much`;
  return `${sign}${size < 0.1 ? SMALL_PERCENT.format(size) : formatPercent(size)}`;
}

interface Names {
  /** The names of agents and keys, by id. */
  readonly agents: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
}

/** The name of a group. Agents and keys that are no longer listed are named by their id. */
export function groupLabel(by: Grouping, key: string, { agents, keys }: Names): string {
  switch (by) {
    case "outcome":
      return capitalize(outcomeLabel(key));
    case "agent":
      return agents.get(key) ?? key;
    case "version":
      return versionLabel(key);
    case "hour":
      return formatHourOfDay(Number(key));
    case "key":
      return key === "" ? "Placed by members" : (keys.get(key) ?? key);
    case "engine":
      return key;
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
