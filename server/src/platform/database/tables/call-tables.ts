import type { Call, CallingHoursPolicy, VoicemailPlan } from "@parley/contract/calls";
import type { Incident } from "@parley/contract/incidents";
import type { Mode } from "@parley/contract/shared-fields";
import type { Simulation } from "@parley/contract/simulation";
import type { TranscriptItem } from "@parley/contract/transcripts";
import type { ColumnType } from "kysely";
import type { Filled, FilledTime, Json, JsonOrNull, Time, TimeOrNull } from "./column-types.ts";

export type CallState = "queued" | "claimed" | "dialing" | "ringing" | "talking" | "ended";

/** Calls, who conducts them, and what becomes of them. */
export interface CallTables {
  suppressions: { account_id: string; phone_number: string; reason: string; created_at: FilledTime };
  dispatch_lanes: {
    account_id: string;
    mode: Mode;
    concurrency_max: Filled<number>;
    calls_per_second: Filled<number>;
    queued_max: Filled<number>;
    active_count: Filled<number>;
    next_send_at: FilledTime;
    last_served_at: FilledTime;
  };
  worker_pulse: {
    is_only_row: Filled<boolean>;
    beat_at: FilledTime;
    steady_since: FilledTime;
  };
  workers: {
    id: string;
    internal_url: string | null;
    slots_max: number;
    draining: Filled<boolean>;
    started_at: FilledTime;
    seen_at: FilledTime;
  };
  calls: CallTable;
  call_runs: {
    id: string;
    call_id: string;
    fence: bigint;
    worker_id: string;
    claimed_at: FilledTime;
    renewed_at: FilledTime;
    lease_expires_at: Time;
    ended_at: TimeOrNull;
    outcome: ColumnType<string | null, string | null | undefined, string | null>;
  };
  call_attempts: {
    call_id: string;
    ordinal: number;
    run_id: string;
    carrier: string;
    dial_id: string;
    created_at: FilledTime;
    ended_at: TimeOrNull;
    cause: string | null;
    code: number | null;
    reason: string | null;
    trunk_id: ColumnType<string | null, string | null | undefined, string | null>;
    record: JsonOrNull<object>;
    party: Filled<"callee" | "transfer">;
  };
  call_events: {
    call_id: string;
    sequence: number;
    type: string;
    data: Json<Record<string, unknown>>;
    created_at: FilledTime;
  };
  recording_objects: {
    call_id: string;
    upload_id: ColumnType<string | null, string | null | undefined, string | null>;
    parts: ColumnType<{ number: number; etag: string; bytes: number }[], string | undefined, string>;
    stored_at: TimeOrNull;
    claimed_until: FilledTime;
  };
  recording_peaks: { call_id: string; samples_per_peak: number; callee: Buffer; agent: Buffer };
  transcript_items: {
    call_id: string;
    ordinal: number;
    type: TranscriptItem["type"];
    turn: number | null;
    start_ms: number;
    item: Json<TranscriptItem>;
  };
  transcript_words: { call_id: string; words: string };
  transcript_passes: {
    call_id: string;
    model: string;
    status: "running" | "done" | "failed";
    attempts: Filled<number>;
    lease_until: Time;
    reason: string | null;
    finished_at: TimeOrNull;
  };
  transcript_revisions: { call_id: string; ordinal: number; text: string };
}

/** Where a recording stands, as a call remembers it. */
export interface RecordingState {
  readonly status: "recording" | "ready" | "failed" | "erased";
  readonly durationMs: number | null;
  readonly partial: boolean;
  /** Left out on calls from before gaps were noted. */
  readonly gaps?: readonly { readonly startMs: number; readonly endMs: number }[];
  readonly reason: string | null;
}

export interface CallTable {
  id: string;
  account_id: string;
  mode: Mode;
  api_key_id: string | null;
  member_id: string | null;
  phone_number: string;
  agent_id: string;
  agent_version: number;
  engine: string;
  network: ColumnType<string | null, string | null | undefined, string | null>;
  from_number: string | null;
  variables: Json<Record<string, string>>;
  metadata: Json<Record<string, string>>;
  consent: JsonOrNull<{ basis: string; at: string }>;
  simulation: JsonOrNull<Simulation>;
  max_duration_seconds: number;
  ring_timeout_seconds: number;
  record: Filled<boolean>;
  status: Filled<Call["status"]>;
  state: Filled<CallState>;
  fence: Filled<bigint>;
  version: Filled<number>;
  event_sequence: Filled<number>;
  created_at: FilledTime;
  scheduled_at: TimeOrNull;
  due_at: FilledTime;
  dialing_at: TimeOrNull;
  answered_at: TimeOrNull;
  ended_at: TimeOrNull;
  hangup_requested_at: TimeOrNull;
  calling_hours: Filled<CallingHoursPolicy>;
  admitted_at: TimeOrNull;
  duration_seconds: ColumnType<number | null, number | null | undefined, number | null>;
  end_reason: ColumnType<Call["endReason"], Call["endReason"] | undefined, Call["endReason"]>;
  ended_by: ColumnType<Call["endedBy"], Call["endedBy"] | undefined, Call["endedBy"]>;
  answered_by: ColumnType<Call["answeredBy"], Call["answeredBy"] | undefined, Call["answeredBy"]>;
  carrier: JsonOrNull<NonNullable<Call["carrier"]>>;
  gate: JsonOrNull<NonNullable<Call["gate"]>>;
  quality: JsonOrNull<NonNullable<Call["quality"]>>;
  voicemail: JsonOrNull<VoicemailPlan>;
  collected: JsonOrNull<NonNullable<Call["collected"]>>;
  latency: JsonOrNull<NonNullable<Call["latency"]>>;
  analysis: JsonOrNull<NonNullable<Call["analysis"]>>;
  recording: JsonOrNull<RecordingState>;
  incidents: ColumnType<Incident[], string | undefined, string>;
  recording_erased_at: TimeOrNull;
  transcript_erased_at: TimeOrNull;
  data_erased_at: TimeOrNull;
  route_per_minute_micros: Filled<bigint>;
  engine_per_minute_micros: Filled<bigint>;
  bridge_per_minute_micros: Filled<bigint>;
  bridged_after_seconds: ColumnType<number | null, number | null | undefined, number | null>;
  is_charged: Filled<boolean>;
  held_micros: Filled<bigint>;
  held_on: ColumnType<string | null, string | null | undefined, string | null>;
  billed_seconds: ColumnType<number | null, number | null | undefined, number | null>;
  cost_micros: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
}
