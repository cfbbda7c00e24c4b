import { z } from "zod";
import { EndReason } from "./calls.ts";
import { Usd } from "./money.ts";
import { Mode, Timestamp, TimestampInput } from "./shared-fields.ts";

const USAGE_GRANULARITIES = ["hour", "day"] as const;
export type UsageGranularity = (typeof USAGE_GRANULARITIES)[number];

/** The longest period that is shown by the hour or by the day. */
export const USAGE_DAYS_MAX: Readonly<Record<UsageGranularity, number>> = { hour: 14, day: 366 };

// A bare offset is left out on purpose: which way its sign points depends on who reads it.
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
    description: "Default: now. The period is taken to whole quarters of an hour: `from` down, `to` up.",
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
    .refine(isTimeZone, "must be the name of a time zone such as Europe/Berlin")
    .default("UTC")
    .meta({ description: "In which days and hours begin.", example: "Europe/Berlin" }),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

const figures = {
  calls: z.int().meta({ description: "Calls that were asked for." }),
  answered: z.int().meta({ description: "Those that somebody or something answered." }),
  failed: z.int().meta({ description: "Those that ended as `failed`." }),
  talkSeconds: z.int().meta({ description: "From answer to end, of calls that have ended." }),
  spend: Usd,
  turns: z.int().meta({ description: "Replies of agents, of calls that have ended." }),
  responseMsP50: z
    .number()
    .nullable()
    .meta({ description: "Half of the replies came within so long; to within 3 %. `null` without replies." }),
  responseMsP95: z.number().nullable(),
};

export const UsageFigures = z.strictObject(figures).meta({ id: "UsageFigures" });
export type UsageFigures = z.infer<typeof UsageFigures>;

const UsageBucket = z
  .strictObject({ start: Timestamp.meta({ description: "When the day or the hour begins." }), ...figures })
  .meta({ id: "UsageBucket" });

export const Usage = z
  .strictObject({
    mode: Mode,
    from: Timestamp,
    to: Timestamp,
    granularity: z.enum(USAGE_GRANULARITIES),
    timeZone: z.string(),
    total: UsageFigures,
    buckets: z.array(UsageBucket).meta({ description: "Oldest first, also those in which nothing happened." }),
    endReasons: z
      .array(z.strictObject({ endReason: EndReason, calls: z.int() }))
      .meta({ description: "How the calls ended, the most frequent first." }),
  })
  .meta({ id: "Usage", description: "What the calls of a period amounted to; each counts when it was asked for." });
export type Usage = z.infer<typeof Usage>;
