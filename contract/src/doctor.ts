import { z } from "zod";
import { ENGINE_PART_KINDS } from "./engines.ts";
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

const DOCTOR_VERDICTS = ["ok", "warning", "fault", "skipped"] as const;

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
    verdict: z.enum(DOCTOR_VERDICTS),
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

export const EngineFinding = z
  .strictObject({
    part: z.enum(ENGINE_PART_KINDS),
    name: z.string().meta({ example: "deepgram/nova-3", description: "The vendor, and its model if it has one." }),
    firstResultMs: z.int().nullable().meta({
      description: "From the request to a text, the first word or the first audio. `null` if there was none.",
    }),
    verdict: z.enum(DOCTOR_VERDICTS).meta({
      description: "`warning`: it works, but not as a call needs it; `skipped`: it runs on the machine of the service.",
    }),
    finding: z.string().meta({ description: "What came back, or what is wrong." }),
  })
  .meta({ id: "EngineFinding" });
export type EngineFinding = z.infer<typeof EngineFinding>;

export const EngineReport = z
  .strictObject({
    engine: z.string().meta({ example: "deepgram-openai-elevenlabs" }),
    isHealthy: z.boolean().meta({ description: "Whether no part failed." }),
    findings: z.array(EngineFinding).meta({ description: "For each part: the first choice, then its fallbacks." }),
  })
  .meta({ id: "EngineReport", description: "One round trip to each part of an engine." });
export type EngineReport = z.infer<typeof EngineReport>;
