import { z } from "zod";
import { EndReason } from "./calls.ts";
import { Usd } from "./money.ts";
import { Mode, Timestamp, TimestampInput } from "./shared-fields.ts";

const USAGE_GRANULARITIES = ["hour", "day"] as const;
export type UsageGranularity = (typeof USAGE_GRANULARITIES)[number];

/** The maximum period by granularity. */
export const USAGE_DAYS_MAX: Readonly<Record<UsageGranularity, number>> = { hour: 14, day: 366 };

// A plain offset is not accepted on purpose: the meaning of its sign is ambiguous.
const ZONE_PATTERN = /^[A-Za-z][A-Za-z0-9_]*(?:\/[A-Za-z0-9_+-]+)*$/;

function isTimeZone(name: string): boolean {
  if (!ZONE_PATTERN.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

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
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, "must be a time zone such as Europe/Berlin")
    .default("UTC")
    .meta({ description: "The time zone of days and hours.", example: "Europe/Berlin" }),
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
