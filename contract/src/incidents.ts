import { z } from "zod";
import { Timestamp } from "./shared-fields.ts";

/**
 * Our own failures. What the callee, the carrier or a customer's endpoint did is never one; where nobody can tell on which side
 * of the line our audio was lost (`not_heard`), it is.
 */
export const INCIDENT_KINDS = [
  "hearing_failed",
  "recognition_failed",
  "speech_failed",
  "speech_late",
  "voice_changed",
  "model_failed",
  "tool_failed",
  "agent_failed",
  "conversation_failed",
  "audio_late",
  "not_heard",
  "recording_failed",
  "recording_gap",
  "transcript_late",
  "worker_lost",
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** Repeats of one kind are counted in one entry, so that a part that keeps failing cannot fill the record. */
export const INCIDENTS_MAX = 20;

export const Incident = z
  .strictObject({
    at: Timestamp.meta({ description: "When it first happened." }),
    what: z.enum(INCIDENT_KINDS).meta({
      description:
        "`hearing_failed`: speech detection stopped following the line. `recognition_failed`: something the callee said could not be turned into words. `speech_failed`: the agent could not say something. `speech_late`: it said something late. `voice_changed`: another voice had to stand in. `model_failed`: the language model failed or took too long. `tool_failed`: a request could not be sent from here. `agent_failed`: a step of the flow broke. `conversation_failed`: the conversation broke off. `audio_late`: audio was sent or received late on this machine. `not_heard`: the far end reported (RTCP) that the agent's audio did not arrive. `recording_failed`: there is no recording. `recording_gap`: a part of it is missing. `transcript_late`: the database was away for a while. `worker_lost`: the process that conducted the call died.",
    }),
    reason: z.string().min(1).meta({ description: "What failed. Never empty." }),
    effect: z.string().min(1).meta({ description: "What it meant for the call, in one or two sentences." }),
    count: z.int().min(1).meta({ description: "How often it happened in this call, for the same reason." }),
  })
  .meta({ id: "Incident", description: "A failure of the service itself during a call." });
export type Incident = z.infer<typeof Incident>;
