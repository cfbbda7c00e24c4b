import type { AgentVersion } from "@parley/contract/agents";
import type { AlertCause, AlertRules } from "@parley/contract/alerts";
import type { Batch, BatchRow, NewBatch } from "@parley/contract/batches";
import type { Call, CallingHoursPolicy, VoicemailPlan } from "@parley/contract/calls";
import type { ProviderUnit } from "@parley/contract/engines";
import type { Incident } from "@parley/contract/incidents";
import type { McpToolDefinition } from "@parley/contract/mcp-servers";
import type { Pronunciation } from "@parley/contract/pronunciations";
import type { NewScenario, Scenario, ScenarioResult } from "@parley/contract/scenarios";
import type { Role, Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import type { Simulation } from "@parley/contract/simulation";
import type { TranscriptItem } from "@parley/contract/transcripts";
import type { TrunkKind } from "@parley/contract/trunks";
import type { DeliveredType, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import type { DisabledReason, WebhookType } from "@parley/contract/webhooks";
import type { ColumnType } from "kysely";
import type { HeadroomLimit } from "../../../calls/runs/worker/headroom/forecast.ts";
import type { DB } from "./row-types.ts";

/** The tables as the migrations make them, with the values that the database itself cannot tell. */
export type Schema = {
  [Table in keyof DB]: Table extends keyof Refinements
    ? { [Column in keyof DB[Table]]: RefinedColumn<DB[Table][Column], ValueOf<Refinements[Table], Column>> }
    : DB[Table];
};

/** What JSON columns hold, and the values of text columns that are one of a list. Null and defaults stay as generated. */
type Refinements = Existing<{
  accounts: { pronunciations: Pronunciation[] };
  agents: { flow: AgentVersion["flow"] };
  agent_versions: { flow: AgentVersion["flow"]; expanded_flow: AgentVersion["flow"] };
  alert_rules: { mode: Mode; answer_rate: AlertRules["answerRate"] & {}; incidents: AlertRules["incidents"] & {} };
  alerts: { mode: Mode; type: AlertCause["type"]; cause: AlertCause };
  api_keys: { mode: Mode; scopes: Scope[] };
  audit_log: { data: Record<string, unknown> };
  call_attempts: { party: "callee" | "transfer"; record: object };
  call_batches: { mode: Mode; request: BatchRequest; status: Batch["status"] };
  call_batch_rows: { fields: BatchFields; status: BatchRow["status"]; refusal: NonNullable<BatchRow["refusal"]> };
  call_events: { data: Record<string, unknown> };
  call_shares: { mode: Mode };
  call_views: { query: Record<string, string> };
  calls: {
    mode: Mode;
    variables: Record<string, string>;
    metadata: Record<string, string>;
    consent: { basis: string; at: string };
    simulation: Simulation;
    status: Call["status"];
    state: CallState;
    calling_hours: CallingHoursPolicy;
    end_reason: NonNullable<Call["endReason"]>;
    ended_by: NonNullable<Call["endedBy"]>;
    answered_by: NonNullable<Call["answeredBy"]>;
    carrier: NonNullable<Call["carrier"]>;
    gate: NonNullable<Call["gate"]>;
    quality: NonNullable<Call["quality"]>;
    voicemail: VoicemailPlan;
    collected: NonNullable<Call["collected"]>;
    latency: NonNullable<Call["latency"]>;
    engine_parts: NonNullable<Call["engineParts"]>;
    analysis: NonNullable<Call["analysis"]>;
    recording: RecordingState;
    incidents: Incident[];
  };
  device_sign_ins: { mode: Mode; scopes: Scope[] };
  dispatch_lanes: { mode: Mode };
  gate_counts: { kind: "number" | "range" | "country" };
  idempotency_records: { mode: Mode };
  ledger_transfers: { kind: TransferKind };
  links: { kind: "claim" | "invite" | "reset" };
  mcp_tools: { definition: McpToolDefinition; approved_definition: McpToolDefinition };
  members: { role: Role };
  model_providers: { use: "first" | "fallback" | "off" };
  provider_rates: { unit: ProviderUnit };
  outbox: { mode: Mode };
  recording_objects: { parts: { number: number; etag: string; bytes: number }[] };
  scenario_results: { scenario: Scenario; result: ScenarioResult };
  scenario_runs: { medium: "text" | "audio"; placed_by: RunPlacer };
  scenarios: {
    steps: NewScenario["steps"];
    variables: NewScenario["variables"];
    tool_replies: NewScenario["toolReplies"];
    expect: NewScenario["expect"];
  };
  transcript_items: { type: TranscriptItem["type"]; item: TranscriptItem };
  transcript_passes: { status: "running" | "done" | "failed" };
  trunk_health: { circuit: "closed" | "open" | "half_open" };
  trunk_routes: { managed_by: ManagedBy };
  trunks: {
    kind: TrunkKind;
    managed_by: ManagedBy;
    transport: "udp" | "tcp" | "tls";
    number_format: "e164" | "digits";
    codecs: ("PCMU" | "PCMA" | "G722" | "OPUS")[];
    srtp: "off" | "optional" | "required";
  };
  usage_hours: { mode: Mode };
  usage_quarters: { mode: Mode };
  usage_replies: { mode: Mode };
  webhook_deliveries: {
    event_type: DeliveredType;
    status: DeliveryStatus;
    /** The driver reads the database's infinities as numbers. */
    next_attempt_at: ColumnType<Date | number, Date | string, Date | string>;
  };
  webhook_endpoints: { mode: Mode; event_types: WebhookType[]; disabled_reason: DisabledReason };
  workers: { limited_by: HeadroomLimit };
}>;

/** What the calls of a batch have in common, and what each of them adds. */
export type BatchRequest = Omit<NewBatch, "name" | "rows">;
export type BatchFields = Omit<NewBatch["rows"][number], "phoneNumber">;

type CallState = "queued" | "claimed" | "dialing" | "ringing" | "talking" | "ended";

/** Where a recording stands, as a call remembers it. */
export interface RecordingState {
  readonly status: "recording" | "ready" | "failed" | "erased";
  readonly durationMs: number | null;
  readonly partial: boolean;
  /** Left out on calls from before gaps were noted. */
  readonly gaps?: readonly { readonly startMs: number; readonly endMs: number }[];
  readonly reason: string | null;
}

/** What a transfer between the books is for. */
export type TransferKind =
  | "sign_up_credit"
  | "credit_added"
  | "credit_removed"
  | "hold"
  | "hold_extended"
  | "settled"
  | "released";

/** In whose name the calls of a scenario run are placed. */
export interface RunPlacer {
  readonly keyId: string | null;
  readonly memberId: string | null;
}

/** What changes a trunk or a route: people, or the configuration file alone. */
export type ManagedBy = "operator" | "configuration";

/** Does not compile when a table or a column is named that does not exist. */
type Existing<
  Named extends {
    [Table in keyof Named]: Table extends keyof DB
      ? { [Column in keyof Named[Table]]: Column extends keyof DB[Table] ? unknown : never }
      : never;
  },
> = Named;

type ValueOf<Columns, Column> = Column extends keyof Columns ? Columns[Column] : NotRefined;
interface NotRefined {
  readonly isNotRefined: true;
}

/** The column with another value: JSON is still written as text, and what may be null or left out still may. */
type RefinedColumn<Column, Value> = [Value] extends [NotRefined]
  ? Column
  : Column extends null
    ? null
    : [Value] extends [ColumnType<unknown, unknown, unknown>]
      ? Value
      : Column extends ColumnType<infer Selected, infer Inserted, infer Updated>
        ? unknown extends Selected
          ? ColumnType<Value, Inserted, Updated>
          : ColumnType<Value, Value | Extract<Inserted, undefined>, Value>
        : Value;
