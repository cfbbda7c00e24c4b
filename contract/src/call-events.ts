import { z } from "zod";
import { Timestamp } from "./shared-fields.ts";

const CALL_EVENT_TYPES = [
  "call.initiated",
  "call.dialing",
  "call.rerouted",
  "call.ringing",
  "call.early_media",
  "call.in_progress",
  "call.answered_by",
  "call.transcript_extended",
  "call.number_suppressed",
  "call.incident",
  "call.recording_failed",
  "call.audio_missing",
  "call.audio_returned",
  "call.key_pressed",
  "call.transfer",
  "call.hangup_requested",
  "call.hold_extended",
  "call.completed",
  "call.failed",
  "call.transcript.ready",
  "call.recording.ready",
  "call.analyzed",
  "call.reanalyzed",
  "call.data_erased",
] as const;
export const FINAL_CALL_EVENT_TYPES: readonly string[] = ["call.completed", "call.failed"];

export const CallEvent = z
  .strictObject({
    sequence: z.int().meta({ description: "1, 2, 3, ... per call; the id of the event in the live stream." }),
    type: z.enum(CALL_EVENT_TYPES).meta({
      description:
        "`call.rerouted`: another trunk is tried. `call.early_media`: there is something to hear before the answer. `call.audio_missing`: nothing is heard of the callee for a while. `call.key_pressed` never says which key. `call.transcript_extended`: something was said or done. `call.number_suppressed`: the callee does not want to be called again. `call.incident`: something of the service itself failed; the data says `what`, `reason` and `effect`. `call.transcript.ready` and `call.recording.ready`: all of it can be fetched now. `call.analyzed`: `analysis` of an answered call is there, once for each; `call.reanalyzed`: it was made anew by request. `call.data_erased`: something of it was erased, by request or because its days were over.",
    }),
    createdAt: Timestamp,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "CallEvent" });
export type CallEvent = z.infer<typeof CallEvent>;
export type CallEventType = (typeof CALL_EVENT_TYPES)[number];
