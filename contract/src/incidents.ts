import { z } from "zod";
import { Timestamp } from "./shared-fields.ts";

/**
 * Failures of the service itself, never of the callee, the carrier or a customer's endpoint. `not_heard` is included, because
 * it cannot be determined on which side of the line our audio was lost.
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

/** Repetitions are counted in one entry, so that a part that keeps failing cannot fill the record. */
export const INCIDENTS_MAX = 20;
/** The first turns in which an incident happened; later ones are only counted. */
export const INCIDENT_TURNS_MAX = 20;

export const Incident = z
  .strictObject({
    at: Timestamp.meta({ description: "When it first happened." }),
    what: z.enum(INCIDENT_KINDS).meta({
      description:
        "`hearing_failed`: speech detection fell behind or failed. `recognition_failed`: the callee's speech could not be transcribed. `speech_failed`: the agent's speech could not be synthesized. `speech_late`: it was synthesized too late. `voice_changed`: another voice had to be used. `model_failed`: the language model failed or took too long. `tool_failed`: a request could not be sent from here. `agent_failed`: a step of the flow failed. `conversation_failed`: the conversation was aborted. `audio_late`: audio was sent or received late on this machine. `not_heard`: the far end reported (RTCP) that the agent's audio did not arrive. `recording_failed`: there is no recording. `recording_gap`: a part of it is missing. `transcript_late`: the database was unavailable for a while. `worker_lost`: the process that conducted the call died.",
    }),
    reason: z.string().min(1).meta({ description: "What failed. Never empty." }),
    effect: z.string().min(1).meta({ description: "Its effect on the call, in one or two sentences." }),
    count: z.int().min(1).meta({ description: "How often it happened in this call for the same reason." }),
    turns: z.array(z.int()).max(INCIDENT_TURNS_MAX).readonly().optional().meta({
      description:
        "The turns in which it happened, as numbered in the transcript. What happened while the callee had the floor has the number of the reply that followed. Left out for incidents outside of turns.",
    }),
  })
  .meta({ id: "Incident", description: "A failure of the service itself during a call." });
export type Incident = z.infer<typeof Incident>;
