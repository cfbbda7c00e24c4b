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
  "call.language_noticed",
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
  "call.redial_scheduled",
  "call.redial_refused",
  "call.data_erased",
] as const;
export const FINAL_CALL_EVENT_TYPES: readonly string[] = ["call.completed", "call.failed"];

export const CallEvent = z
  .strictObject({
    sequence: z.int().meta({ description: "1, 2, 3, ... per call; also the id of the event in the live stream." }),
    type: z.enum(CALL_EVENT_TYPES).meta({
      description:
        "`call.rerouted`: the next trunk is tried. `call.early_media`: there is audio before the answer. `call.audio_missing`: no audio has arrived from the callee for a while. `call.key_pressed` never contains the key. `call.transcript_extended`: the transcript has new items. `call.language_noticed`: the callee speaks another language than the agent. `call.number_suppressed`: the callee does not want to be called again. `call.incident`: a part of the service failed; the data has `what`, `reason` and `effect`. `call.transcript.ready` and `call.recording.ready`: it is complete and can be fetched. `call.analyzed`: `analysis` is available, once per answered call; `call.reanalyzed`: it was repeated on request. `call.redial_scheduled`: the callee asked to be called later, and `followedBy` is that call; `call.redial_refused`: it could not be created, for the given `reason`. `call.data_erased`: data of the call was erased, on request or after its retention period.",
    }),
    createdAt: Timestamp,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "CallEvent" });
export type CallEvent = z.infer<typeof CallEvent>;
export type CallEventType = (typeof CALL_EVENT_TYPES)[number];
