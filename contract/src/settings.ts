import { z } from "zod";
import { Usd, UsdInput } from "./money.ts";

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day such as 09:00");
const CallingHours = z.strictObject({ start: TimeOfDay, end: TimeOfDay });
const RetentionDays = z.strictObject({ recordings: z.int().min(1).max(3650), transcripts: z.int().min(1).max(3650) });

export const Settings = z
  .strictObject({
    dailySpendCap: Usd.nullable().meta({ description: "Most that the account's calls may cost in a day (UTC)." }),
    callingHours: CallingHours.nullable(),
    retentionDays: RetentionDays.nullable(),
    disclosure: z.string().nullable(),
  })
  .meta({ id: "Settings" });
export type Settings = z.infer<typeof Settings>;

export const SettingsChanges = z
  .strictObject({
    dailySpendCap: UsdInput.nullable().optional(),
    callingHours: CallingHours.nullable().optional(),
    retentionDays: RetentionDays.nullable().optional(),
    disclosure: z.string().min(1).max(500).nullable().optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "SettingsChanges" });
