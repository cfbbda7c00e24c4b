import { z } from "zod";
import { idSchema } from "./ids.ts";
import { PhoneNumber } from "./shared-fields.ts";

/** In the order in which they run. */
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
      description: "A number for a test call, ideally one that echoes. It rings, and the carrier charges for the call.",
    }),
  })
  .meta({ id: "DoctorRequest" });
export type DoctorRequest = z.infer<typeof DoctorRequest>;

export const DoctorFinding = z
  .strictObject({
    step: z.enum(DOCTOR_STEPS),
    verdict: z.enum(["ok", "warning", "fault", "skipped"]),
    finding: z.string().meta({ description: "The observation, in one sentence." }),
    remedy: z.string().nullable().meta({ description: "What to do about it; `null` if nothing." }),
  })
  .meta({ id: "DoctorFinding" });
export type DoctorFinding = z.infer<typeof DoctorFinding>;

export const DoctorReport = z
  .strictObject({
    trunkId: idSchema("trunk"),
    isHealthy: z.boolean().meta({ description: "Whether no fault was found." }),
    findings: z.array(DoctorFinding),
  })
  .meta({ id: "DoctorReport", description: "The state of a trunk, as seen from the machine that ran the test." });
export type DoctorReport = z.infer<typeof DoctorReport>;
