import { z } from "zod";
import { CallEvent } from "../call-events.ts";
import { CallNotes, CallNotesChanges, CallShare, CreatedCallShare, NewCallShare, SharedCall } from "../call-notes.ts";
import {
  Call,
  CallCheck,
  CallCheckRequest,
  CallCount,
  CallExportQuery,
  CallMatch,
  CallMatchQuery,
  CallQuery,
  CallView,
  LiveCalls,
  NewCall,
  NewCallView,
} from "../calls.ts";
import { idSchema } from "../ids.ts";
import { RecordingLink, RecordingLinkQuery, RecordingPeaks } from "../recordings.ts";
import { Done, defineRoute } from "../route.ts";
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

export const countCalls = defineRoute({
  id: "countCalls",
  method: "GET",
  path: "/api/v1/calls/count",
  tag: "Calls",
  summary: "Count the calls that match filters; exact up to 10,000",
  access: { by: "key_or_member", scope: "calls:read" },
  query: CallExportQuery,
  data: CallCount,
});

export const findCallMatches = defineRoute({
  id: "findCallMatches",
  method: "GET",
  path: "/api/v1/calls/matches",
  tag: "Calls",
  summary: "Get excerpts of calls that a search returned, with the words that were found",
  access: { by: "key_or_member", scope: "transcripts:read" },
  query: CallMatchQuery,
  data: z.array(CallMatch),
});

export const listLiveCalls = defineRoute({
  id: "listLiveCalls",
  method: "GET",
  path: "/api/v1/calls/live",
  tag: "Calls",
  summary: "List calls that have not ended, and what each of them waits for",
  access: { by: "key_or_member", scope: "calls:read" },
  data: LiveCalls,
});

export const listCallViews = defineRoute({
  id: "listCallViews",
  method: "GET",
  path: "/api/v1/call-views",
  tag: "Calls",
  summary: "List the saved views of the list of calls",
  access: { by: "key_or_member", scope: "calls:read" },
  data: z.array(CallView),
});

export const createCallView = defineRoute({
  id: "createCallView",
  method: "POST",
  path: "/api/v1/call-views",
  tag: "Calls",
  summary: "Save a view of the list of calls; a view with the same name is replaced",
  access: { by: "key_or_member", scope: "calls:write" },
  body: NewCallView,
  data: CallView,
  idempotent: true,
  errors: ["invalid_state"],
});

export const deleteCallView = defineRoute({
  id: "deleteCallView",
  method: "DELETE",
  path: "/api/v1/call-views/{id}",
  tag: "Calls",
  summary: "Delete a saved view",
  access: { by: "key_or_member", scope: "calls:write" },
  params: z.strictObject({ id: idSchema("callView") }),
  data: Done,
  errors: ["not_found"],
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

export const getCallNotes = defineRoute({
  id: "getCallNotes",
  method: "GET",
  path: "/api/v1/calls/{id}/notes",
  tag: "Calls",
  summary: "Get the tags and the note of a call",
  access: { by: "key_or_member", scope: "calls:read" },
  params: CallParams,
  data: CallNotes,
  errors: ["call_not_found"],
});

export const changeCallNotes = defineRoute({
  id: "changeCallNotes",
  method: "PATCH",
  path: "/api/v1/calls/{id}/notes",
  tag: "Calls",
  summary: "Change the tags or the note of a call",
  access: { by: "key_or_member", scope: "calls:write" },
  params: CallParams,
  body: CallNotesChanges,
  data: CallNotes,
  errors: ["call_not_found", "invalid_state"],
});

export const createCallShare = defineRoute({
  id: "createCallShare",
  method: "POST",
  path: "/api/v1/calls/{id}/shares",
  tag: "Calls",
  summary: "Create a link by which anyone can read a call, and hear it, until the link expires",
  access: { by: "key_or_member", scope: "recordings:read" },
  params: CallParams,
  body: NewCallShare,
  bodyOptional: true,
  data: CreatedCallShare,
  errors: ["call_not_found", "invalid_state"],
});

export const listCallShares = defineRoute({
  id: "listCallShares",
  method: "GET",
  path: "/api/v1/calls/{id}/shares",
  tag: "Calls",
  summary: "List the links to a call that have not expired",
  access: { by: "key_or_member", scope: "recordings:read" },
  params: CallParams,
  data: z.array(CallShare),
  errors: ["call_not_found"],
});

export const deleteCallShare = defineRoute({
  id: "deleteCallShare",
  method: "DELETE",
  path: "/api/v1/calls/{id}/shares/{shareId}",
  tag: "Calls",
  summary: "Make a link to a call stop working",
  access: { by: "key_or_member", scope: "recordings:read" },
  params: z.strictObject({ id: idSchema("call"), shareId: idSchema("callShare") }),
  data: Done,
  errors: ["call_not_found", "not_found"],
});

export const getSharedCall = defineRoute({
  id: "getSharedCall",
  method: "GET",
  path: "/api/v1/shared-call",
  tag: "Calls",
  summary: "Get a call by a link",
  access: { by: "anyone" },
  query: RecordingLinkQuery,
  data: SharedCall,
  errors: ["not_found"],
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
