import { type CallQuery, type NewCall, NO_API_KEY } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";
import { sql } from "kysely";
import type { CallRouting } from "../phone/carriers/where-calls-go.ts";
import { type Database, run, type Tx } from "../platform/database/database.ts";
import { notifyAfterCommit } from "../platform/database/notify-after-commit.ts";
import type { CallRow } from "./call-record.ts";
import { CALL_HANGUP_CHANNEL, CALL_QUEUED_CHANNEL } from "./event-store.ts";

export interface AcceptedCall {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly keyId: string | null;
  readonly memberId: string | null;
  readonly request: NewCall;
  readonly engine: string;
  readonly routing: CallRouting;
  readonly agentVersion: number;
  readonly gate: NonNullable<CallRow["gate"]>;
  readonly routePerMinuteMicros: bigint;
  readonly enginePerMinuteMicros: bigint;
  /** The credit held immediately; zero for a scheduled call. */
  readonly heldMicros: bigint;
  /** When to dial it; null for immediately. */
  readonly dueAt: Date | null;
  /** The call that it follows up, and how many there were before in a row. */
  readonly follows: FollowedCall | null;
}

export interface FollowedCall {
  readonly callId: string;
  readonly redials: number;
}

// The lane's limit is read in the same statement. No row is returned when the queue is full.
const INSERT_CALL = `/* insert_call */
    insert into calls (id, account_id, mode, api_key_id, member_id, phone_number, agent_id, agent_version, engine, from_number,
      variables, metadata, consent, simulation, max_duration_seconds, ring_timeout_seconds, record, voicemail, gate,
      route_per_minute_micros, engine_per_minute_micros, held_micros, held_on,
      network, is_charged, scheduled_at, calling_hours, due_at, admitted_at, event_sequence,
      follows_call_id, redials)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
      case when $22::bigint > 0 then (now() at time zone 'utc')::date end, $23, $24, $25, $26,
      coalesce($27::timestamptz, clock_timestamp()), case when $27::timestamptz is null then clock_timestamp() end, 1, $28, $29
    from dispatch_lanes lane
    where lane.account_id = $2 and lane.mode = $3 and lane.queued_max > (
      select coalesce(sum(q.calls), 0) from queued_counts q where q.account_id = $2 and q.mode = $3
    )
    returning *`;

/** Stores the call as queued, or returns null when the account's queue is full. */
export async function insertCall(tx: Tx, call: AcceptedCall): Promise<CallRow | null> {
  const { request } = call;
  const [row] = await run<CallRow>(tx, INSERT_CALL, [
    call.id,
    call.accountId,
    call.mode,
    call.keyId,
    call.memberId,
    request.phoneNumber,
    request.agentId,
    call.agentVersion,
    call.engine,
    request.from ?? null,
    JSON.stringify(request.variables ?? {}),
    JSON.stringify(request.metadata ?? {}),
    request.consent ? JSON.stringify(request.consent) : null,
    request.simulation ? JSON.stringify(request.simulation) : null,
    request.maxDurationSeconds,
    request.ringTimeoutSeconds,
    request.record,
    request.voicemail ? JSON.stringify(request.voicemail) : null,
    JSON.stringify(call.gate),
    call.routePerMinuteMicros,
    call.enginePerMinuteMicros,
    call.heldMicros,
    call.routing.network,
    call.routing.isCharged,
    request.scheduledAt ?? null,
    request.callingHours,
    call.dueAt,
    call.follows?.callId ?? null,
    call.follows?.redials ?? 0,
  ]);
  if (row) notifyAfterCommit(tx, CALL_QUEUED_CHANNEL);
  return row ?? null;
}

/** Stores under which trace a call was accepted, in the transaction that accepts it. */
export async function storeTraceContext(tx: Tx, callId: string, traceparent: string): Promise<void> {
  await run(tx, "/* store_trace_context */ update calls set trace_context = $2 where id = $1", [callId, traceparent]);
}

export async function findTraceContext(db: Database, callId: string): Promise<string | null> {
  const [row] = await run<{ trace_context: string | null }>(
    db,
    "/* find_trace_context */ select trace_context from calls where id = $1",
    [callId],
  );
  return row?.trace_context ?? null;
}

export async function findCall(db: Database, accountId: string, mode: Mode, id: string): Promise<CallRow | null> {
  const [row] = await run<CallRow>(
    db,
    "/* find_call */ select * from calls where id = $1 and account_id = $2 and mode = $3",
    [id, accountId, mode],
  );
  return row ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockCall(tx: Tx, accountId: string, mode: Mode, id: string): Promise<CallRow | null> {
  const [row] = await run<CallRow>(
    tx,
    "/* lock_call */ select * from calls where id = $1 and account_id = $2 and mode = $3 for update",
    [id, accountId, mode],
  );
  return row ?? null;
}

/** The account's call in this mode. Throws `call_not_found` for any other id, including those of other accounts. */
export async function requireCall(
  db: Database,
  { accountId, mode }: { readonly accountId: string; readonly mode: Mode },
  id: string,
): Promise<CallRow> {
  const call = await findCall(db, accountId, mode, id);
  if (!call) throw callNotFound();
  return call;
}

/** The same, locked until the transaction ends. */
export async function requireLockedCall(
  tx: Tx,
  { accountId, mode }: { readonly accountId: string; readonly mode: Mode },
  id: string,
): Promise<CallRow> {
  const call = await lockCall(tx, accountId, mode, id);
  if (!call) throw callNotFound();
  return call;
}

function callNotFound(): AppError {
  return new AppError("call_not_found", "The account has no such call in this mode.");
}

/** Requests the worker that conducts the call to end it. Requesting it again changes nothing. */
export async function requestHangup(tx: Tx, id: string): Promise<CallRow | null> {
  const [row] = await run<CallRow>(
    tx,
    `/* request_hangup */ update calls
     set hangup_requested_at = clock_timestamp(), version = version + 1, event_sequence = event_sequence + 1
     where id = $1 and state <> 'ended' and hangup_requested_at is null returning *`,
    [id],
  );
  if (row) notifyAfterCommit(tx, CALL_HANGUP_CHANNEL, id);
  return row ?? null;
}

export type CallFilter = Omit<CallQuery, "limit" | "cursor" | "q" | "search" | "sort">;

/** The position in a list: the creation time of the last row, with the microseconds of the database, and its id. */
export interface CallPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Newest first, after a position. */
export async function readCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  filter: CallFilter,
  after: CallPosition | null,
  limit: number,
): Promise<CallRow[]> {
  return chosenCalls(db, accountId, mode, filter, after).selectAll().limit(limit).execute();
}

/** The positions of calls in that order, without the calls themselves; only those of `ids` if given. */
export async function readCallPositions(
  db: Database,
  accountId: string,
  mode: Mode,
  filter: CallFilter,
  after: CallPosition | null,
  limit: number,
  ids: readonly string[] | null = null,
): Promise<CallPosition[]> {
  let query = chosenCalls(db, accountId, mode, filter, after).select(["id", "created_at"]);
  if (ids) query = query.where(sql<boolean>`id = any(${ids})`);
  const rows = await query.limit(limit).execute();
  return rows.map((row) => ({ id: row.id, createdAt: row.created_at.toISOString() }));
}

export type SortColumn = "created_at" | "duration_seconds" | "cost_micros";

/** The calls that have a value to sort by, newest first; only those of `ids` if given. */
export async function readSortKeys(
  db: Database,
  accountId: string,
  mode: Mode,
  filter: CallFilter,
  column: SortColumn,
  limit: number,
  ids: readonly string[] | null,
): Promise<{ readonly id: string; readonly key: bigint }[]> {
  const key =
    column === "created_at"
      ? sql<bigint>`(extract(epoch from created_at) * 1000)::bigint`
      : sql<bigint>`${sql.ref(column)}::bigint`;
  let query = chosenCalls(db, accountId, mode, filter, null)
    .select(["id", key.as("key")])
    .where(column, "is not", null);
  if (ids) query = query.where(sql<boolean>`id = any(${ids})`);
  return query.limit(limit).execute();
}

/** How many calls there are, counted up to `limit`; only those of `ids` if given. */
export async function countCalls(
  db: Database,
  accountId: string,
  mode: Mode,
  filter: CallFilter,
  limit: number,
  ids: readonly string[] | null,
): Promise<number> {
  let query = chosenCalls(db, accountId, mode, filter, null).select("id");
  if (ids) query = query.where(sql<boolean>`id = any(${ids})`);
  const counted = db.selectFrom(query.limit(limit).as("found")).select(sql<number>`count(*)::int`.as("count"));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Newest first. */
export async function readCallsById(db: Database, ids: readonly string[]): Promise<CallRow[]> {
  if (ids.length === 0) return [];
  const query = db.selectFrom("calls").selectAll().where("id", "in", ids);
  return query.orderBy("created_at", "desc").orderBy("id", "desc").execute();
}

function chosenCalls(db: Database, accountId: string, mode: Mode, filter: CallFilter, after: CallPosition | null) {
  let query = callsOf(db, accountId, mode, filter);
  if (filter.status)
    query = query.where("status", "=", filter.status).where(isFinal(filter.status) ? ENDED : UNFINISHED);
  if (filter.phase) query = query.where(phaseIs(filter.phase));
  if (filter.agentId) query = query.where("agent_id", "=", filter.agentId);
  if (filter.engine) query = query.where("engine", "=", filter.engine);
  if (filter.phoneNumber) query = query.where("phone_number", "=", filter.phoneNumber);
  if (filter.endReason) query = query.where("end_reason", "=", filter.endReason).where(ENDED);
  if (filter.agentVersion !== undefined) query = query.where(versionIs(filter.agentVersion));
  if (filter.apiKeyId) query = query.where(keyIs(filter.apiKeyId));
  // Without a key, also because that has an index.
  if (filter.memberId) query = query.where("member_id", "=", filter.memberId).where(keyIs(NO_API_KEY));
  if (filter.outcome) query = query.where(outcomeIs(filter.outcome));
  if (filter.hourOfDay !== undefined) query = query.where(hourIs(filter.hourOfDay, filter.timeZone ?? "UTC"));
  if (filter.createdAfter) query = query.where("created_at", ">", new Date(filter.createdAfter));
  if (filter.createdBefore) query = query.where("created_at", "<", new Date(filter.createdBefore));
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id})`);
  return query.orderBy("created_at", "desc").orderBy("id", "desc");
}

// Not parameters: an index of a part of the calls is used only if the statement says so.
const ENDED = sql<boolean>`state = 'ended'`;
const UNFINISHED = sql<boolean>`state <> 'ended'`;

const isFinal = (status: NonNullable<CallFilter["status"]>) => status === "completed" || status === "failed";

/**
 * The calls to filter. The indexes by agent, key, engine and version have ended calls only, so that a call is written to them
 * once. Calls under way are few, and found by their account. PostgreSQL merges the two in the order of the list.
 */
function callsOf(db: Database, accountId: string, mode: Mode, filter: CallFilter) {
  const { status, phase, endReason, outcome, agentId, apiKeyId, memberId, engine } = filter;
  const calls = db.selectFrom("calls").where("account_id", "=", accountId).where("mode", "=", mode);
  const isOneKind = status ?? phase ?? endReason ?? outcome;
  if (isOneKind !== undefined || (agentId ?? apiKeyId ?? memberId ?? engine) === undefined) return calls;
  const both = calls.selectAll().where(ENDED).unionAll(calls.selectAll().where(UNFINISHED));
  return db.selectFrom(both.as("calls")) as typeof calls;
}

function phaseIs(phase: NonNullable<CallFilter["phase"]>) {
  const waits = sql<boolean>`(scheduled_at is not null or coalesce(gate->>'decision' = 'waiting', false))`;
  if (phase === "scheduled") return sql<boolean>`state = 'queued' and ${waits}`;
  if (phase === "queued") return sql<boolean>`(state = 'claimed' or (state = 'queued' and not ${waits}))`;
  if (phase === "ended") return ENDED;
  return sql<boolean>`state = ${phase}`;
}

// As `count_call_by_agent` in the migrations counts them, so that a list has the calls of a breakdown, and as the indexes
// have them.
function keyIs(apiKeyId: string) {
  return sql<boolean>`coalesce(api_key_id, '') = ${apiKeyId === NO_API_KEY ? "" : apiKeyId}`;
}

/** Drafts are stored with negative versions. */
function versionIs(version: number) {
  return sql<boolean>`greatest(agent_version, 0) = ${version}`;
}

/** Only ended calls have one. */
function outcomeIs(outcome: string) {
  return sql<boolean>`${ENDED} and left(coalesce(analysis->>'outcome', end_reason), 64) = ${outcome}`;
}

function hourIs(hour: number, timeZone: string) {
  return sql<boolean>`extract(hour from date_trunc('hour', created_at, 'utc') at time zone ${timeZone}) = ${hour}`;
}
