/**
 * Where Citus would keep each table. A distributed table is split by account, so that all rows of an account are on one node. A
 * reference table has a copy on every node: it is small, written rarely, and found without knowing the account or referred to by
 * distributed tables. Every other table stays on the coordinator, through which all statements go.
 */

/** How a row's account is found where its table has no column for it: by the row of another table with this id. */
export interface ParentOfRow {
  readonly column: string;
  readonly table: string;
}

const ofCall: ParentOfRow = { column: "call_id", table: "calls" };
const HAS_ACCOUNT = null;

/** The column `account_id` splits them. A parent comes before the tables that need it. */
export const DISTRIBUTED: Readonly<Record<string, ParentOfRow | null>> = {
  account_balances: HAS_ACCOUNT,
  agents: HAS_ACCOUNT,
  agent_versions: { column: "agent_id", table: "agents" },
  alert_rules: HAS_ACCOUNT,
  alerts: HAS_ACCOUNT,
  calls: HAS_ACCOUNT,
  call_attempts: ofCall,
  call_batches: HAS_ACCOUNT,
  call_batch_rows: { column: "batch_id", table: "call_batches" },
  call_events: ofCall,
  call_keywords: HAS_ACCOUNT,
  call_notes: HAS_ACCOUNT,
  call_runs: ofCall,
  call_shares: HAS_ACCOUNT,
  call_views: HAS_ACCOUNT,
  gate_counts: HAS_ACCOUNT,
  idempotency_records: HAS_ACCOUNT,
  ledger_transfers: HAS_ACCOUNT,
  mcp_servers: HAS_ACCOUNT,
  mcp_tools: { column: "server_id", table: "mcp_servers" },
  webhook_endpoints: HAS_ACCOUNT,
  outbox: HAS_ACCOUNT,
  webhook_deliveries: { column: "endpoint_id", table: "webhook_endpoints" },
  webhook_attempts: { column: "delivery_id", table: "webhook_deliveries" },
  recording_objects: ofCall,
  recording_peaks: ofCall,
  redials: ofCall,
  scenario_runs: HAS_ACCOUNT,
  scenario_results: { column: "run_id", table: "scenario_runs" },
  scenarios: HAS_ACCOUNT,
  suppressions: HAS_ACCOUNT,
  tool_secrets: HAS_ACCOUNT,
  transcript_items: ofCall,
  transcript_passes: ofCall,
  transcript_revisions: ofCall,
  transcript_words: ofCall,
  usage_hours: HAS_ACCOUNT,
  usage_quarters: HAS_ACCOUNT,
  usage_replies: HAS_ACCOUNT,
};

/** Each with the reason. A table that others refer to comes before them. */
export const REFERENCE: Readonly<Record<string, string>> = {
  accounts: "almost every table refers to it",
  members: "an e-mail address is unique in the installation, and signing in finds the account by it",
  api_keys: "every request finds its account by the digest of the key, and calls refer to keys",
  gate_rules: "the row without an account has the rules of the installation",
  rates: "prices of the installation, read for every call",
  engine_rates: "prices of the installation",
  provider_rates: "prices of the installation",
  workers: "runs of all accounts refer to their worker",
};

/** Each with the reason. */
export const LOCAL: Readonly<Record<string, string>> = {
  parley_migrations: "says which migrations the coordinator has",
  links: "one-time links, found by their token before the account is known",
  sign_ins: "found by their token before the account is known, and short-lived",
  sign_in_challenges: "as sign_ins",
  second_factors: "belongs to a member and is read at sign-in only",
  recovery_codes: "as second_factors",
  device_sign_ins: "has no account until a member confirms it",
  audit_log: "changes of trunks and rates have no account, and Citus takes no null as the value that splits a table",
  dispatch_lanes:
    "workers take the lane that waited longest of all accounts, with `skip locked`, which Citus does on one shard only",
  waiting_lanes: "as dispatch_lanes",
  queued_counts: "changes together with dispatch_lanes",
  spend_days: "the spender is an account or a key",
  trunks: "belong to the installation",
  trunk_routes: "belong to the installation",
  trunk_channels: "one counter per trunk, changed by calls of all accounts",
  trunk_turns: "locked together with the counter of its trunk",
  trunk_caller_days: "counters of the installation",
  trunk_health: "belongs to the installation",
  model_providers: "belong to the installation",
  worker_pulse: "one row",
  leaving_months: "belongs to the installation",
  failed_attempts: "counts by address and e-mail, before the account is known",
  rate_windows: "unlogged counters of requests; a bucket is a key, an address or a member",
  voice_tries: "one row per member who tries an agent by voice",
};

/**
 * Triggers of distributed and reference tables. Citus takes tables with triggers only with `citus.enable_unsafe_triggers`, and then runs
 * them on the shard: a trigger may look at its own row, and at nothing else.
 */
export const TRIGGERS: Readonly<Record<string, TriggerOnCitus>> = {
  agent_versions_frozen: "keeps",
  call_end_is_final: "keeps",
  call_state_moves: "keeps",
  conversation_needs_answer: "keeps",
  ledger_append_only: "keeps",
  call_events_append_only: {
    lost: "It lets rows go while `parley.removing_calls` is on, and that setting of the coordinator does not reach the shards.",
  },
  api_keys_changed: { lost: "Its notification is sent by the copies on the nodes, where no process listens." },
  calls_batch_rows_go_with_them: { lost: "remove_calls has to delete the rows of batches." },
  calls_notes_go_with_them: { lost: "remove_calls has to delete notes, words and shares." },
  calls_count_by_agent_when_ended: { lost: "The transaction that ends a call has to count it, last." },
  calls_count_when_ended: { lost: "The transaction that ends a call has to count it, last." },
  calls_count_when_queued: { lost: "Accepting a call has to count it in queued_counts, which is on the coordinator." },
  calls_count_when_queued_again: { lost: "Returning a call to the queue has to count it." },
  calls_count_when_taken: { lost: "Claiming calls and ending waiting ones has to count them." },
  calls_join_their_lane_again: { lost: "Returning a call to the queue has to note its lane in waiting_lanes." },
  calls_join_their_lane_new: { lost: "Accepting a call has to note its lane in waiting_lanes." },
  ledger_applied: { lost: "Nothing: post_transfer applies transfers, the trigger served the previous release." },
  outbox_queues_deliveries: {
    lost: "Nothing: report_event queues deliveries, the trigger served the previous release.",
  },
  transcript_needs_answer: { lost: "Storing a transcript has to read whether its call was answered." },
  transcript_revisions_go_with_items: { lost: "Deleting items of a transcript has to delete their revisions." },
};

/** It is created again on the shards, or lost, with what the program has to do instead. */
export type TriggerOnCitus = "keeps" | { readonly lost: string };
