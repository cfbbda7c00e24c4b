import { z } from "zod";
import { CallingHours } from "./gate.ts";
import { Usd, UsdInput } from "./money.ts";

const DISCLOSURE =
  "That a machine speaks, and that the call is recorded, as agents without words of their own say it. `null`: in the words of the service.";

const Days = z.int().min(1).max(3650).nullable();
const RetentionDays = z.strictObject({ recordings: Days, transcripts: Days }).meta({
  id: "RetentionDays",
  description:
    "How many days after a call's end its recording and its transcript are erased. `null` keeps them until they are erased by request.",
});

export const Settings = z
  .strictObject({
    dailySpendCap: Usd.nullable().meta({ description: "Most that the account's calls may cost in a day (UTC)." }),
    callSpendCap: Usd.nullable().meta({ description: "Most that one call may cost." }),
    destinationSpendCap: Usd.nullable().meta({ description: "Most that calls to one number may cost in a day (UTC)." }),
    creditLowAt: Usd.meta({ description: "The webhook `credit.low` is sent when the balance falls below this." }),
    callingHours: CallingHours.nullable().meta({
      description: "When callees are phoned, in their own time zone. The installation's hours hold beside them.",
    }),
    retentionDays: RetentionDays.nullable().meta({ description: "`null` when everything is kept." }),
    disclosure: z.string().nullable().meta({ description: DISCLOSURE }),
  })
  .meta({ id: "Settings" });
export type Settings = z.infer<typeof Settings>;

export const SettingsChanges = z
  .strictObject({
    dailySpendCap: UsdInput.nullable().optional(),
    callSpendCap: UsdInput.nullable().optional(),
    destinationSpendCap: UsdInput.nullable().optional(),
    creditLowAt: UsdInput.optional(),
    callingHours: CallingHours.nullable().optional(),
    retentionDays: RetentionDays.nullable().optional(),
    disclosure: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .refine((text) => !text.includes("{{"), "must not name variables: not every call has them")
      .nullable()
      .optional()
      .meta({ description: DISCLOSURE }),
  })
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "SettingsChanges" });
