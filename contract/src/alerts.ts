import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Usd } from "./money.ts";
import { Mode, PageQuery, Timestamp } from "./shared-fields.ts";

const Hours = z.int().min(1).max(168).meta({ description: "The last hours that count, including the current one." });

const AnswerRateRule = z
  .strictObject({
    belowPercent: z.int().min(1).max(100).meta({ description: "Raised when fewer of the ended calls were answered." }),
    hours: Hours,
    callsMin: z.int().min(1).max(10_000).meta({ description: "Fewer calls than this raise nothing." }),
  })
  .meta({ id: "AnswerRateRule" });

const IncidentRule = z
  .strictObject({
    atLeast: z.int().min(1).max(10_000).meta({ description: "Raised at this many failures of the service itself." }),
    hours: Hours,
  })
  .meta({ id: "IncidentRule" });

const RULES = {
  answerRate: AnswerRateRule.nullable().meta({ description: "`null`: not watched." }),
  incidents: IncidentRule.nullable().meta({ description: "`null`: not watched." }),
  creditLow: z.boolean().meta({
    description: "Whether an alert is raised when the balance is below `creditLowAt` of the settings. Live mode only.",
  }),
  quietMinutes: z.int().min(0).max(10_080).meta({
    description: "After an alert, the same rule raises no other for this long.",
  }),
  emailOwners: z.boolean().meta({
    description: "Whether owners get an e-mail for each alert, if the installation sends mail.",
  }),
};

export const AlertRules = z.strictObject({ mode: Mode, ...RULES }).meta({ id: "AlertRules" });
export type AlertRules = z.infer<typeof AlertRules>;

export const AlertRulesChanges = z
  .strictObject(RULES)
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "AlertRulesChanges" });
export type AlertRulesChanges = z.infer<typeof AlertRulesChanges>;

const AlertCause = z
  .discriminatedUnion("type", [
    z
      .strictObject({
        type: z.literal("answer_rate"),
        percent: z.number().meta({ description: "The share of calls that were answered." }),
        calls: z.int(),
        hours: z.int(),
        belowPercent: z.int(),
      })
      .meta({ id: "AnswerRateCause" }),
    z
      .strictObject({ type: z.literal("incidents"), incidents: z.int(), hours: z.int(), atLeast: z.int() })
      .meta({ id: "IncidentsCause" }),
    z.strictObject({ type: z.literal("credit_low"), balance: Usd, creditLowAt: Usd }).meta({ id: "CreditLowCause" }),
  ])
  .meta({ id: "AlertCause", description: "What was measured, and the rule at that time." });
export type AlertCause = z.infer<typeof AlertCause>;
export type AlertType = AlertCause["type"];

export const Alert = z
  .strictObject({
    id: idSchema("alert"),
    mode: Mode,
    cause: AlertCause,
    raisedAt: Timestamp,
    resolvedAt: Timestamp.nullable().meta({
      description: "When the figure had recovered, or the rule was removed. `null` while it lasts.",
    }),
  })
  .meta({ id: "Alert" });
export type Alert = z.infer<typeof Alert>;

export const AlertQuery = z.strictObject(PageQuery);
