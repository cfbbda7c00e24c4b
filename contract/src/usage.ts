import { z } from "zod";
import { EndReason } from "./calls.ts";
import { idSchema } from "./ids.ts";
import { Usd } from "./money.ts";
import { Mode, Timestamp, TimestampInput, TimeZone, wholeNumberText } from "./shared-fields.ts";

const USAGE_GRANULARITIES = ["hour", "day"] as const;
export type UsageGranularity = (typeof USAGE_GRANULARITIES)[number];

/** The maximum period by granularity. */
export const USAGE_DAYS_MAX: Readonly<Record<UsageGranularity, number>> = { hour: 14, day: 366 };

export const UsageQuery = z.strictObject({
  from: TimestampInput.optional().meta({ description: "Default: 30 days before `to`." }),
  to: TimestampInput.optional().meta({
    description: "Default: now. The period is extended to whole quarters of an hour.",
  }),
  granularity: z
    .enum(USAGE_GRANULARITIES)
    .default("day")
    .meta({
      description: `\`hour\` for at most ${USAGE_DAYS_MAX.hour} days, \`day\` for at most ${USAGE_DAYS_MAX.day}.`,
    }),
  timeZone: TimeZone.default("UTC").meta({ description: "The time zone of days and hours.", example: "Europe/Berlin" }),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

const figures = {
  calls: z.int().meta({ description: "Requested calls." }),
  answered: z.int().meta({ description: "Calls that were answered by a person or a machine." }),
  failed: z.int().meta({ description: "Calls that ended as `failed`." }),
  talkSeconds: z.int().meta({ description: "Seconds from answer to end, for calls that have ended." }),
  spend: Usd,
  turns: z.int().meta({ description: "Replies of agents, in calls that have ended." }),
  responseMsP50: z
    .number()
    .nullable()
    .meta({ description: "The median response time, with an error of at most 3 %. `null` without replies." }),
  responseMsP95: z.number().nullable(),
  interruptions: z.int().nullable().meta({
    description: "How often callees interrupted agents, in calls that have ended. `null` if that was not counted yet.",
  }),
};

export const UsageFigures = z.strictObject(figures).meta({ id: "UsageFigures" });
export type UsageFigures = z.infer<typeof UsageFigures>;

const UsageBucket = z
  .strictObject({ start: Timestamp.meta({ description: "The start of the day or hour." }), ...figures })
  .meta({ id: "UsageBucket" });

export const Usage = z
  .strictObject({
    mode: Mode,
    from: Timestamp,
    to: Timestamp,
    granularity: z.enum(USAGE_GRANULARITIES),
    timeZone: z.string(),
    total: UsageFigures,
    buckets: z.array(UsageBucket).meta({ description: "Oldest first, including empty ones." }),
    endReasons: z
      .array(z.strictObject({ endReason: EndReason, calls: z.int() }))
      .meta({ description: "The end reasons, the most frequent first." }),
  })
  .meta({
    id: "Usage",
    description: "Statistics of the calls of a period. A call counts at the time it was requested.",
  });
export type Usage = z.infer<typeof Usage>;

export const USAGE_DIMENSIONS = ["agent", "version", "engine", "outcome", "hour", "day", "key"] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

export const UsageBreakdownQuery = UsageQuery.extend({
  by: z.enum(USAGE_DIMENSIONS).meta({
    description: "`hour` is the hour of the day, from 0 to 23. `version` needs `agentId`.",
  }),
  agentId: idSchema("agent").optional().meta({ description: "Only calls of this agent." }),
  agentVersion: wholeNumberText(0, 1_000_000)
    .optional()
    .meta({ description: "Only calls with this version of the agent, 0 for drafts. Needs `agentId`." }),
  engine: z.string().min(1).max(64).optional().meta({ description: "Only calls by this engine.", example: "local" }),
  granularity: z
    .enum(USAGE_GRANULARITIES)
    .optional()
    .meta({
      description: `Also returns \`buckets\`: by \`hour\` for at most ${USAGE_DAYS_MAX.hour} days, by \`day\` for at most ${USAGE_DAYS_MAX.day}.`,
    }),
});
export type UsageBreakdownQuery = z.infer<typeof UsageBreakdownQuery>;

/** More groups than this are not listed. A year of days is. */
export const BREAKDOWN_ROWS_MAX = 400;
/** How many groups have buckets: more cannot be told apart in a chart. */
export const BREAKDOWN_BUCKETS_MAX = 12;

const breakdownFigures = {
  ...UsageFigures.pick({ calls: true, answered: true, failed: true, talkSeconds: true, spend: true, turns: true })
    .shape,
  responseMsP50: z.number().nullable().meta({
    description:
      "The median response time, with an error of at most 3 %, of calls that ended since it is counted by group. `null` without.",
  }),
  responseMsP95: z.number().nullable(),
  interruptions: z.int().meta({ description: "How often callees interrupted an agent." }),
  incidents: z.int().meta({ description: "Failures of the service itself." }),
};

const BreakdownBucket = z
  .strictObject({ start: Timestamp.meta({ description: "The start of the day or hour." }), ...breakdownFigures })
  .meta({ id: "UsageBreakdownBucket" });
export type BreakdownBucket = z.infer<typeof BreakdownBucket>;

const BreakdownRow = z
  .strictObject({
    key: z.string().meta({
      description:
        "The id of the agent or key, the version, engine, outcome, hour or day. Empty for calls that members placed.",
    }),
    ...breakdownFigures,
    buckets: z
      .array(BreakdownBucket)
      .optional()
      .meta({
        description: `With \`granularity\`, for the ${BREAKDOWN_BUCKETS_MAX} groups with the most calls: oldest first, without empty ones.`,
      }),
  })
  .meta({ id: "UsageBreakdownRow" });
export type BreakdownRow = z.infer<typeof BreakdownRow>;

const BreakdownTotal = z
  .strictObject({
    ...breakdownFigures,
    buckets: z
      .array(BreakdownBucket)
      .optional()
      .meta({ description: "With `granularity`: oldest first, including empty ones." }),
  })
  .meta({ id: "UsageBreakdownTotal", description: "All calls of the period, including groups that are not listed." });

export const UsageBreakdown = z
  .strictObject({
    mode: Mode,
    from: Timestamp,
    to: Timestamp,
    by: z.enum(USAGE_DIMENSIONS),
    total: BreakdownTotal,
    rows: z.array(BreakdownRow).max(BREAKDOWN_ROWS_MAX).meta({
      description: "Hours, days and versions in order; otherwise those with the most calls first.",
    }),
  })
  .meta({
    id: "UsageBreakdown",
    description:
      "Ended calls of a period, by one property. The period is in whole hours, and a call counts in the hour (UTC) in which it was requested.",
  });
export type UsageBreakdown = z.infer<typeof UsageBreakdown>;
