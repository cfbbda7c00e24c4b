import type { UsageGranularity } from "@parley/contract/usage";
import { formatCount, locale } from "../../languages/language.ts";
import { formatDelay, formatDollars, formatMinutes, formatPercent } from "../../ui/figures.ts";
import { formatHourOfDay } from "../../ui/format.ts";
import { outcomeLabel, versionLabel } from "../calls/call-labels.ts";
import { usageText } from "./text.ts";
import type { Change, UsageCard } from "./usage-figures.ts";
import {
  type Column,
  type Grouping,
  type Measure,
  type Preset,
  type problemOfDays,
  spanOfDay,
  type UsagePeriod,
  type UsageSearch,
} from "./usage-search.ts";

export const PRESET_LABELS: Readonly<Record<Preset | "custom", string>> = usageText.preset;

export const GROUPING_LABELS: Readonly<Record<Grouping, string>> = usageText.grouping;

export const GROUPING_TITLES: Readonly<Record<Grouping, string>> = usageText.groupingTitles;

export const MEASURE_LABELS: Readonly<Record<Measure, string>> = usageText.measure;

export const MEASURE_FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  calls: formatCount,
  minutes: formatMinutes,
  cost: formatDollars,
  response: formatDelay,
  interruptions: formatCount,
};

export const COLUMN_LABELS: Readonly<Record<Exclude<Column, "name">, string>> = usageText.column;

/** What the columns of the table count, for those whose name does not say it. */
export const COLUMN_NOTES: Partial<Readonly<Record<Column, string>>> = usageText.columnNotes;

export const CARD_LABELS: Readonly<Record<UsageCard["id"], string>> = usageText.card;

export const DAYS_PROBLEMS: Readonly<Record<NonNullable<ReturnType<typeof problemOfDays>>, string>> =
  usageText.daysProblems;

const DAY = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const DAY_AND_YEAR = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const LONG_DAY = new Intl.DateTimeFormat(locale, { weekday: "short", month: "short", day: "numeric" });
const HOUR = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });

const PRESET_WORDS: Readonly<Record<Preset, string>> = usageText.presetNames;

/** When something happened, for the end of a sentence. */
export function periodInWords({ period = "month", from, to }: UsageSearch, chosen: UsagePeriod): string {
  if (from === undefined || to === undefined) return PRESET_WORDS[period];
  if (chosen.days === 1) return usageText.onDay(DAY_AND_YEAR.format(chosen.from));
  // The end is the first moment after the period.
  return usageText.inChosenPeriod(DAY_AND_YEAR.formatRange(chosen.from, new Date(chosen.to.getTime() - 1)));
}

/** What the period is compared with. */
export function comparisonInWords({ period = "month", from }: UsageSearch, { days }: UsagePeriod): string {
  if (from === undefined && period === "today") return usageText.vsYesterday;
  return days === 1 ? usageText.vsDayBefore : usageText.vsPreviousDays(days);
}

/** A day or an hour, for the ends of the scale and for reading a bar. */
export function bucketInWords(start: string, granularity: UsageGranularity, isLong: boolean): string {
  const at = new Date(start);
  if (granularity === "hour") return HOUR.format(at);
  return (isLong ? LONG_DAY : DAY).format(at);
}

const TENTHS = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const SMALL_PERCENT = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
/** Changes that are rounded away are none. */
const SAME = 0.0005;
/** A change of more than this says only that there was little before. */
const FAR = 10;

export function changeInWords({ kind, amount }: Change): string {
  const size = Math.abs(amount);
  if (size < SAME) return usageText.noChange;
  const sign = amount > 0 ? "+" : "−";
  if (kind === "points") return usageText.points(`${sign}${TENTHS.format(100 * size)}`);
  if (size > FAR) return usageText.manyTimesAsMuch(FAR);
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
    case "day":
      return DAY_AND_YEAR.format(spanOfDay(key).from);
    case "hour":
      return formatHourOfDay(Number(key));
    case "key":
      return key === "" ? usageText.placedByMembers : (keys.get(key) ?? key);
    case "engine":
      return key;
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
