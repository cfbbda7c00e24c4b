import { z } from "zod";
import { Usd, UsdInput } from "./money.ts";

const NOT_YET = "Not supported by this release yet: refused with 422.";
const ALWAYS_NULL = "Not supported by this release yet: always `null`.";

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day such as 09:00");
const CallingHours = z.strictObject({ start: TimeOfDay, end: TimeOfDay });
const RetentionDays = z.strictObject({ recordings: z.int().min(1).max(3650), transcripts: z.int().min(1).max(3650) });

export const Settings = z
  .strictObject({
    dailySpendCap: Usd.nullable().meta({ description: "Most that the account's calls may cost in a day (UTC)." }),
    callingHours: CallingHours.nullable().meta({ description: ALWAYS_NULL }),
    retentionDays: RetentionDays.nullable().meta({ description: ALWAYS_NULL }),
    disclosure: z.string().nullable().meta({ description: ALWAYS_NULL }),
  })
  .meta({ id: "Settings" });
export type Settings = z.infer<typeof Settings>;

export const SettingsChanges = z
  .strictObject({
    dailySpendCap: UsdInput.nullable().optional(),
    callingHours: CallingHours.nullable().optional().meta({ description: NOT_YET }),
    retentionDays: RetentionDays.nullable().optional().meta({ description: NOT_YET }),
    disclosure: z.string().min(1).max(500).nullable().optional().meta({ description: NOT_YET }),
  })
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "SettingsChanges" });
