import { z } from "zod";
import { idSchema } from "./ids.ts";
import { PhoneNumber } from "./shared-fields.ts";

/** In the order in which they are looked at. */
export const DOCTOR_STEPS = [
  "settings",
  "names",
  "connection",
  "options",
  "registration",
  "addresses",
  "call",
  "sound",
  "keys",
  "hangup",
] as const;
export type DoctorStep = (typeof DOCTOR_STEPS)[number];

export const DoctorRequest = z
  .strictObject({
    to: PhoneNumber.optional().meta({
      description: "A number to call as a test, best one that echoes. It rings, and the trunk charges for it.",
    }),
  })
  .meta({ id: "DoctorRequest" });
export type DoctorRequest = z.infer<typeof DoctorRequest>;

export const DoctorFinding = z
  .strictObject({
    step: z.enum(DOCTOR_STEPS),
    verdict: z.enum(["ok", "warning", "fault", "skipped"]),
    finding: z.string().meta({ description: "What was seen, in one sentence." }),
    remedy: z.string().nullable().meta({ description: "What to do about it; `null` when there is nothing to do." }),
  })
  .meta({ id: "DoctorFinding" });
export type DoctorFinding = z.infer<typeof DoctorFinding>;

export const DoctorReport = z
  .strictObject({
    trunkId: idSchema("trunk"),
    isHealthy: z.boolean().meta({ description: "Whether nothing is at fault." }),
    findings: z.array(DoctorFinding),
  })
  .meta({ id: "DoctorReport", description: "How a trunk does, as seen from the machine that was asked." });
export type DoctorReport = z.infer<typeof DoctorReport>;
