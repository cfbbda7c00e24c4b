import type { AgentVersion } from "@parley/contract/agents";
import type { Call, Simulation, VoicemailPlan } from "@parley/contract/calls";
import type { LedgerKind } from "@parley/contract/credits";
import type { Role, Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import type { TranscriptItem } from "@parley/contract/transcripts";
import type { DeliveredType, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import type { DisabledReason, WebhookType } from "@parley/contract/webhooks";
import type { ColumnType, Generated } from "kysely";

/** A jsonb column: read as a value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>;
/** A column the database fills in unless told otherwise. */
type Filled<T> = ColumnType<T, T | undefined, T>;
type FilledTime = ColumnType<Date, Date | string | undefined, Date | string>;
type Time = ColumnType<Date, Date | string, Date | string>;
type TimeOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** Who changes a trunk or a route: people, or the configuration file alone. */
export type ManagedBy = "operator" | "configuration";
export type CallState = "queued" | "claimed" | "dialing" | "ringing" | "talking" | "ended";

/** The tables as `migrations/` make them. */
export interface Schema {
  accounts: { id: string; name: string; daily_spend_cap_micros: bigint | null; created_at: FilledTime };
  members: {
    id: string;
    account_id: string;
    email: string | null;
    password_hash: string | null;
    role: Role;
    is_operator: Filled<boolean>;
    created_at: FilledTime;
  };
  sign_ins: {
    id: string;
    member_id: string;
    token_digest: Buffer;
    ip: string | null;
    client: string | null;
    created_at: FilledTime;
    last_seen_at: FilledTime;
    expires_at: Time;
  };
  links: {
    id: string;
    kind: "claim" | "invite" | "reset";
    member_id: string;
    token_digest: Buffer;
    created_at: FilledTime;
    expires_at: Time;
    used_at: TimeOrNull;
  };
  failed_attempts: { subject: string; window_start: Time; failures: number };
  api_keys: {
    id: string;
    account_id: string;
    mode: Mode;
    name: string;
    prefix: string;
    last_four: string;
    digest: Buffer;
    scopes: Scope[];
    allowed_ips: Filled<string[]>;
    daily_spend_cap_micros: bigint | null;
    created_by: string | null;
    created_at: FilledTime;
    expires_at: TimeOrNull;
    last_used_at: TimeOrNull;
    revoked_at: TimeOrNull;
  };
  audit_log: {
    id: string;
    account_id: string | null;
    actor: string;
    action: string;
    target: string | null;
    ip: string | null;
    client: string | null;
    data: Json<Record<string, unknown>>;
    created_at: FilledTime;
  };
  idempotency_records: {
    account_id: string;
    mode: Mode;
    method: string;
    path: string;
    idempotency_key: string;
    fingerprint: Buffer;
    status: number;
    body: string;
    created_at: FilledTime;
  };
  rate_windows: { bucket: string; window_start: bigint; granted: number; last_grant: number };
  suppressions: { account_id: string; phone_number: string; reason: string; created_at: FilledTime };
  agents: {
    id: string;
    account_id: string;
    name: string;
    description: Filled<string>;
    engine: string | null;
    language: string;
    flow: Json<AgentVersion["flow"]>;
    revision: Generated<number>;
    published_version: ColumnType<number | null, number | null | undefined, number | null>;
    created_at: FilledTime;
    updated_at: FilledTime;
    deleted_at: TimeOrNull;
  };
  agent_versions: {
    id: string;
    agent_id: string;
    version: number;
    note: string;
    engine: string | null;
    language: string;
    flow: Json<AgentVersion["flow"]>;
    created_at: FilledTime;
  };
  account_balances: { account_id: string; available_micros: Filled<bigint>; held_micros: Filled<bigint> };
  ledger_transfers: {
    id: string;
    account_id: string;
    kind: LedgerKind;
    call_id: string | null;
    note: Filled<string>;
    available_micros: Filled<bigint>;
    held_micros: Filled<bigint>;
    earned_micros: Filled<bigint>;
    funded_micros: Filled<bigint>;
    created_at: FilledTime;
  };
  spend_days: { spender_id: string; day: string; micros: bigint };
  rates: { prefix: string; per_minute_micros: bigint; description: Filled<string> };
  engine_rates: { engine: string; per_minute_micros: bigint };
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
  transcript_items: {
    call_id: string;
    ordinal: number;
    type: TranscriptItem["type"];
    turn: number | null;
    start_ms: number;
    item: Json<TranscriptItem>;
  };
  outbox: {
    id: string;
    account_id: string;
    mode: Mode;
    type: string;
    call_id: string | null;
    sequence: number | null;
    body: string;
    created_at: FilledTime;
    endpoint_id: ColumnType<string | null, string | null | undefined, string | null>;
  };
  webhook_endpoints: WebhookEndpointTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: {
    delivery_id: string;
    fence: number;
    started_at: Time;
    latency_ms: number;
    is_success: boolean;
    status: number | null;
    reason: string;
    response_body: string | null;
  };
  trunks: TrunkTable;
  trunk_channels: {
    trunk_id: string;
    channels_max: number | null;
    calls_per_second: number | null;
    active_count: Filled<number>;
    next_send_at: FilledTime;
  };
  trunk_routes: {
    id: string;
    prefix: string;
    trunk_id: string;
    priority: Filled<number>;
    weight: Filled<number>;
    managed_by: Filled<ManagedBy>;
    created_at: FilledTime;
    updated_at: FilledTime;
  };
  trunk_caller_days: {
    trunk_id: string;
    caller_id: string;
    day: string;
    attempts: Filled<number>;
    rang: Filled<number>;
    answered: Filled<number>;
  };
  trunk_health: {
    trunk_id: string;
    worker_id: string;
    is_reachable: boolean | null;
    is_registered: boolean | null;
    circuit: "closed" | "open" | "half_open";
    trouble: string | null;
    reported_at: FilledTime;
  };
}

export interface WebhookEndpointTable {
  id: string;
  account_id: string;
  mode: Mode;
  url: string;
  event_types: WebhookType[] | null;
  description: string;
  header_names: string[];
  headers_sealed: Buffer;
  secret_sealed: Buffer;
  previous_secret_sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  previous_secret_until: TimeOrNull;
  is_enabled: Filled<boolean>;
  disabled_at: TimeOrNull;
  disabled_reason: ColumnType<DisabledReason | null, DisabledReason | null | undefined, DisabledReason | null>;
  failures_in_a_row: Filled<number>;
  paused_until: TimeOrNull;
  failing_since: TimeOrNull;
  warned_at: TimeOrNull;
  last_success_at: TimeOrNull;
  created_at: FilledTime;
  updated_at: FilledTime;
  deleted_at: TimeOrNull;
}

export interface WebhookDeliveryTable {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: DeliveredType;
  call_id: string | null;
  status: DeliveryStatus;
  is_asked_for: Filled<boolean>;
  try_count: Filled<number>;
  attempt_count: Filled<number>;
  /** The driver reads the database's infinities as numbers. */
  next_attempt_at: ColumnType<Date | number | null, Date | string | null | undefined, Date | string | null>;
  claimed_until: TimeOrNull;
  fence: Filled<number>;
  last_attempt_at: TimeOrNull;
  last_status: ColumnType<number | null, number | null | undefined, number | null>;
  last_reason: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: FilledTime;
  delivered_at: TimeOrNull;
}

export interface TrunkTable {
  id: string;
  name: string;
  is_enabled: Filled<boolean>;
  managed_by: Filled<ManagedBy>;
  host: string;
  port: number | null;
  transport: "udp" | "tcp" | "tls";
  outbound_proxy: string | null;
  username: string | null;
  password_sealed: Buffer | null;
  from_host: string | null;
  public_host: string | null;
  public_port: number | null;
  allows_tcp_for_large: boolean;
  asserts_identity: boolean;
  session_timer_seconds: number | null;
  offers_reliable_ringing: boolean;
  stays_on_first_hop: boolean;
  number_format: "e164" | "digits";
  dial_prefix: string;
  caller_ids: string[];
  codecs: ("PCMU" | "PCMA")[];
  srtp: "off" | "optional" | "required";
  public_media_host: string | null;
  registers_as: string | null;
  ping_interval_seconds: number | null;
  created_at: FilledTime;
  updated_at: FilledTime;
}

/** Where a recording stands, as a call remembers it. */
export interface RecordingState {
  readonly status: "recording" | "ready" | "failed";
  readonly durationMs: number | null;
  readonly partial: boolean;
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
  recording: JsonOrNull<RecordingState>;
  route_per_minute_micros: Filled<bigint>;
  engine_per_minute_micros: Filled<bigint>;
  held_micros: Filled<bigint>;
  held_on: ColumnType<string | null, string | null | undefined, string | null>;
  billed_seconds: ColumnType<number | null, number | null | undefined, number | null>;
  cost_micros: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
}
