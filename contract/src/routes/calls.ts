import { z } from "zod";
import { CallEvent } from "../call-events.ts";
import { Call, CallCheck, CallCheckRequest, CallExportQuery, CallQuery, NewCall } from "../calls.ts";
import { idSchema } from "../ids.ts";
import { RecordingLink, RecordingLinkQuery, RecordingPeaks } from "../recordings.ts";
import { defineRoute } from "../route.ts";
import { wholeNumberText } from "../shared-fields.ts";
import { Transcript, TranscriptQuery } from "../transcripts.ts";

const CallParams = z.strictObject({ id: idSchema("call") });

export const createCall = defineRoute({
  id: "createCall",
  method: "POST",
  path: "/api/v1/calls",
  tag: "Calls",
  summary: "Place a call",
  access: { by: "key_or_member", scope: "calls:write" },
  body: NewCall,
  data: Call,
  idempotent: true,
  errors: [
    "insufficient_credit",
    "spend_limit_reached",
    "destination_not_allowed",
    "agent_not_found",
    "agent_not_published",
    "engine_unavailable",
    "engine_unknown",
    "queue_full",
  ],
});

export const checkCall = defineRoute({
  id: "checkCall",
  method: "POST",
  path: "/api/v1/calls/check",
  tag: "Calls",
  summary: "Check whether a number may be called now, its price and local time; nothing is dialed or stored",
  access: { by: "key_or_member", scope: "calls:read" },
  body: CallCheckRequest,
  data: CallCheck,
  errors: ["engine_unavailable", "engine_unknown"],
});

export const listCalls = defineRoute({
  id: "listCalls",
  method: "GET",
  path: "/api/v1/calls",
  tag: "Calls",
  summary: "List calls, newest first",
  access: { by: "key_or_member", scope: "calls:read" },
  query: CallQuery,
  data: Call,
  paged: true,
  alsoProduces: ["text/csv"],
});

export const exportCalls = defineRoute({
  id: "exportCalls",
  method: "GET",
  path: "/api/v1/calls.csv",
  tag: "Calls",
  summary: "Export calls as CSV, newest first; same as the list with `Accept: text/csv`",
  access: { by: "key_or_member", scope: "calls:read" },
  query: CallExportQuery,
  data: z.string(),
  alsoProduces: ["text/csv"],
  producesJson: false,
});

export const getCall = defineRoute({
  id: "getCall",
  method: "GET",
  path: "/api/v1/calls/{id}",
  tag: "Calls",
  summary: "Get a call",
  access: { by: "key_or_member", scope: "calls:read" },
  params: CallParams,
  data: Call,
  errors: ["call_not_found"],
});

export const hangupCall = defineRoute({
  id: "hangupCall",
  method: "POST",
  path: "/api/v1/calls/{id}/hangup",
  tag: "Calls",
  summary: "Hang up, or cancel a call that has not been answered",
  access: { by: "key_or_member", scope: "calls:write" },
  params: CallParams,
  body: z.strictObject({}),
  bodyOptional: true,
  data: Call,
  idempotent: true,
  errors: ["call_not_found"],
});

export const analyzeCall = defineRoute({
  id: "analyzeCall",
  method: "POST",
  path: "/api/v1/calls/{id}/analysis",
  tag: "Calls",
  summary: "Analyze an answered call again, with the currently published version of its agent",
  access: { by: "key_or_member", scope: "calls:write" },
  params: CallParams,
  body: z.strictObject({}),
  bodyOptional: true,
  data: Call,
  idempotent: true,
  errors: ["call_not_found", "invalid_state"],
});

export const listCallEvents = defineRoute({
  id: "listCallEvents",
  method: "GET",
  path: "/api/v1/calls/{id}/events",
  tag: "Calls",
  summary: "Get the timeline of a call; live with `Accept: text/event-stream`",
  access: { by: "key_or_member", scope: "calls:read" },
  params: CallParams,
  data: CallEvent,
  paged: true,
  query: z.strictObject({
    limit: wholeNumberText(1, 100).default(100),
    cursor: z.string().min(1).max(512).optional(),
  }),
  alsoProduces: ["text/event-stream"],
  errors: ["call_not_found"],
});

export const getTranscript = defineRoute({
  id: "getTranscript",
  method: "GET",
  path: "/api/v1/calls/{id}/transcript",
  tag: "Calls",
  summary:
    "Get the transcript of a call; it grows while the call is in progress. Live with `Accept: text/event-stream`",
  access: { by: "key_or_member", scope: "transcripts:read" },
  params: CallParams,
  query: TranscriptQuery,
  data: Transcript,
  alsoProduces: ["text/plain", "application/x-subrip", "text/vtt", "text/event-stream"],
  errors: ["call_not_found"],
});

export const getRecording = defineRoute({
  id: "getRecording",
  method: "GET",
  path: "/api/v1/calls/{id}/recording",
  tag: "Calls",
  summary: "Get the recording of a call; stereo, the callee on the left and the agent on the right",
  access: { by: "key_or_member", scope: "recordings:read" },
  params: CallParams,
  data: z.string(),
  alsoProduces: ["audio/wav"],
  producesJson: false,
  takesRange: true,
  errors: ["call_not_found", "not_found", "invalid_state"],
});

export const getRecordingPeaks = defineRoute({
  id: "getRecordingPeaks",
  method: "GET",
  path: "/api/v1/calls/{id}/recording/peaks",
  tag: "Calls",
  summary: "Get the waveform of a recording",
  access: { by: "key_or_member", scope: "recordings:read" },
  params: CallParams,
  data: RecordingPeaks,
  errors: ["call_not_found", "not_found", "invalid_state"],
});

export const createRecordingLink = defineRoute({
  id: "createRecordingLink",
  method: "POST",
  path: "/api/v1/calls/{id}/recording/link",
  tag: "Calls",
  summary: "Create a link that plays the recording for ten minutes without a key",
  access: { by: "key_or_member", scope: "recordings:read" },
  params: CallParams,
  body: z.strictObject({}),
  bodyOptional: true,
  data: RecordingLink,
  errors: ["call_not_found", "not_found", "invalid_state"],
});

export const followRecordingLink = defineRoute({
  id: "followRecordingLink",
  method: "GET",
  path: "/api/v1/calls/{id}/recording/link",
  tag: "Calls",
  summary: "Get a recording by link",
  access: { by: "anyone" },
  params: CallParams,
  query: RecordingLinkQuery,
  data: z.string(),
  alsoProduces: ["audio/wav"],
  producesJson: false,
  takesRange: true,
  errors: ["not_found"],
});

export const eraseCallData = defineRoute({
  id: "eraseCallData",
  method: "DELETE",
  path: "/api/v1/calls/{id}/data",
  tag: "Calls",
  summary: "Permanently erase the recording, transcript and data of a call; its cost is kept",
  access: { by: "key_or_member", scope: "calls:write" },
  params: CallParams,
  data: Call,
  errors: ["call_not_found", "invalid_state"],
});

export const listenToCall = defineRoute({
  id: "listenToCall",
  method: "GET",
  path: "/api/v1/calls/{id}/listen",
  tag: "Calls",
  summary:
    "Listen to a live call; a WebSocket that sends `{sampleRateHz, channels, encoding}` and then audio as binary messages, or, without an upgrade, a WAV stream. Stereo, the callee on the left and the agent on the right",
  access: { by: "key_or_member", scope: "recordings:read" },
  params: CallParams,
  data: z.string(),
  alsoProduces: ["audio/wav"],
  producesJson: false,
  errors: ["call_not_found", "bad_request", "invalid_state", "unavailable"],
});

export const followCalls = defineRoute({
  id: "followCalls",
  method: "GET",
  path: "/api/v1/events",
  tag: "Calls",
  summary: "Stream the ids of calls that change; clients fetch them again",
  access: { by: "key_or_member", scope: "calls:read" },
  data: z.strictObject({ callId: idSchema("call"), version: z.int() }).meta({ id: "CallChange" }),
  alsoProduces: ["text/event-stream"],
  producesJson: false,
  errors: ["bad_request"],
});
