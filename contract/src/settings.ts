import { z } from "zod";
import { CallingHours } from "./gate.ts";
import { Usd, UsdInput } from "./money.ts";
import { Pronunciation, Pronunciations } from "./pronunciations.ts";

const DISCLOSURE =
  "States that this is an automated call and that it is recorded, for agents without their own disclosure. `null`: the default of the service.";

const PRONUNCIATIONS = "How all agents of the account say these words. An agent's own entry for a word replaces it.";

const Days = z.int().min(1).max(3650).nullable();
const CALL_DAYS =
  "The number of days after its end when a call is removed with all that belongs to it. `null`: the period of the installation.";
const CallDays = z.int().min(30).max(3650).nullable();

const RetentionDays = z
  .strictObject({ recordings: Days, transcripts: Days, calls: CallDays.meta({ description: CALL_DAYS }) })
  .meta({
    id: "RetentionDays",
    description:
      "The number of days after the end of a call when its recording and transcript are erased, and when the call itself is removed. `null` keeps recordings and transcripts until they are erased on request.",
  });
const RetentionDaysChange = z
  .strictObject({
    recordings: Days,
    transcripts: Days,
    calls: CallDays.optional().meta({ description: `${CALL_DAYS} Unchanged when it is not given.` }),
  })
  .meta({ id: "RetentionDaysChange" });

export const Settings = z
  .strictObject({
    dailySpendCap: Usd.nullable().meta({ description: "Maximum cost of the account's calls per day (UTC)." }),
    callSpendCap: Usd.nullable().meta({ description: "Maximum cost of one call." }),
    destinationSpendCap: Usd.nullable().meta({ description: "Maximum cost of calls to one number per day (UTC)." }),
    creditLowAt: Usd.meta({ description: "The webhook `credit.low` is sent when the balance falls below this." }),
    callingHours: CallingHours.nullable().meta({
      description: "When callees may be called, in their time zone. The installation's hours apply as well.",
    }),
    retentionDays: RetentionDays.nullable().meta({
      description: "`null` keeps recordings and transcripts, and calls for the period of the installation.",
    }),
    disclosure: z.string().nullable().meta({ description: DISCLOSURE }),
    pronunciations: z.array(Pronunciation).meta({ description: PRONUNCIATIONS }),
  })
  .meta({ id: "Settings" });
export type Settings = z.infer<typeof Settings>;
export type RetentionDaysChange = z.infer<typeof RetentionDaysChange>;

export const SettingsChanges = z
  .strictObject({
    dailySpendCap: UsdInput.nullable().optional(),
    callSpendCap: UsdInput.nullable().optional(),
    destinationSpendCap: UsdInput.nullable().optional(),
    creditLowAt: UsdInput.optional(),
    callingHours: CallingHours.nullable().optional(),
    retentionDays: RetentionDaysChange.nullable().optional(),
    disclosure: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .refine((text) => !text.includes("{{"), "must not contain variables: not every call has them")
      .nullable()
      .optional()
      .meta({ description: DISCLOSURE }),
    pronunciations: Pronunciations.optional().meta({ description: PRONUNCIATIONS }),
  })
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "SettingsChanges" });
