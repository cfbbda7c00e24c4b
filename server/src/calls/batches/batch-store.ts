import type { Batch, BatchRow } from "@parley/contract/batches";
import type { Mode } from "@parley/contract/shared-fields";
import type { Selectable } from "kysely";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { BatchFields, BatchRequest, Schema } from "../../platform/database/schema/schema.ts";
import type { CallRow } from "../call-record.ts";
import type { Caller } from "../create-call.ts";

export type StoredBatch = Selectable<Schema["call_batches"]>;

interface NewStoredBatch {
  readonly id: string;
  readonly mode: Mode;
  readonly caller: Caller;
  readonly name: string;
  readonly request: BatchRequest;
  readonly rows: readonly { readonly phoneNumber: string; readonly fields: BatchFields }[];
}

export async function insertBatch(tx: Tx, batch: NewStoredBatch): Promise<StoredBatch> {
  const { caller } = batch;
  const [row] = await run<StoredBatch>(
    tx,
    `/* insert_batch */ insert into call_batches (id, account_id, mode, api_key_id, member_id, name, request)
     values ($1, $2, $3, $4, $5, $6, $7) returning *`,
    [
      batch.id,
      caller.accountId,
      batch.mode,
      caller.kind === "key" ? caller.keyId : null,
      caller.kind === "member" ? caller.memberId : null,
      batch.name,
      JSON.stringify(batch.request),
    ],
  );
  if (!row) throw new Error("the batch was not stored");
  await run(
    tx,
    `/* insert_batch_rows */ insert into call_batch_rows (batch_id, number, phone_number, fields)
     select $1, r.ordinality, r.value->>'phoneNumber', r.value->'fields'
     from jsonb_array_elements($2::jsonb) with ordinality r`,
    [batch.id, JSON.stringify(batch.rows)],
  );
  return row;
}

interface Scope {
  readonly accountId: string;
  readonly mode: Mode;
}

export async function findBatch(db: Database, { accountId, mode }: Scope, id: string): Promise<StoredBatch | null> {
  const [row] = await run<StoredBatch>(
    db,
    "/* find_batch */ select * from call_batches where id = $1 and account_id = $2 and mode = $3",
    [id, accountId, mode],
  );
  return row ?? null;
}

/** Newest first, after a position. */
export function readBatches(
  db: Database,
  { accountId, mode }: Scope,
  after: readonly [createdAt: string, id: string] | null,
  limit: number,
): Promise<StoredBatch[]> {
  return run<StoredBatch>(
    db,
    `/* read_batches */ select * from call_batches where account_id = $1 and mode = $2
       and ($3::timestamptz is null or (created_at, id) < ($3::timestamptz, $4))
     order by created_at desc, id desc limit $5`,
    [accountId, mode, after?.[0] ?? null, after?.[1] ?? null, limit],
  );
}

/** Changes the status if it is one of `from`. Null when it is not. */
export async function moveBatch(
  tx: Tx,
  id: string,
  from: readonly Batch["status"][],
  to: Batch["status"],
  pausedBecause: string | null = null,
): Promise<StoredBatch | null> {
  const [row] = await run<StoredBatch>(
    tx,
    `/* move_batch */ update call_batches set status = $3, paused_because = $4
     where id = $1 and status = any($2) returning *`,
    [id, from, to, pausedBecause],
  );
  return row ?? null;
}

export async function cancelWaitingRows(tx: Tx, batchId: string): Promise<void> {
  await run(
    tx,
    "/* cancel_batch_rows */ update call_batch_rows set status = 'canceled' where batch_id = $1 and status = 'waiting'",
    [batchId],
  );
}

export async function countBatches(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Batch["counts"]>> {
  const rows = await run<Batch["counts"] & { batch_id: string }>(
    db,
    `/* count_batches */ select r.batch_id, count(*)::int as rows,
       count(*) filter (where r.status = 'waiting')::int as waiting,
       count(*) filter (where r.status = 'placed' and c.state <> 'ended')::int as "inProgress",
       count(*) filter (where c.status = 'completed')::int as completed,
       count(*) filter (where c.status = 'failed')::int as failed,
       count(*) filter (where r.status = 'refused')::int as refused,
       count(*) filter (where r.status = 'canceled')::int as canceled
     from call_batch_rows r left join calls c on c.id = r.call_id
     where r.batch_id = any($1) group by r.batch_id`,
    [ids],
  );
  return new Map(rows.map(({ batch_id: id, ...counts }) => [id, counts]));
}

export interface StoredRow {
  readonly number: number;
  readonly phone_number: string;
  readonly fields: BatchFields;
  readonly status: BatchRow["status"];
  readonly refusal: BatchRow["refusal"];
  readonly call: CallRow | null;
}

/** Rows after a position, with their calls. */
export async function readBatchRows(
  db: Database,
  batchId: string,
  after: number,
  limit: number,
  status: BatchRow["status"] | null = null,
): Promise<StoredRow[]> {
  const rows = await run<Omit<StoredRow, "call"> & { call_id: string | null }>(
    db,
    `/* read_batch_rows */ select number, phone_number, fields, status, refusal, call_id from call_batch_rows
     where batch_id = $1 and number > $2 and ($4::text is null or status = $4) order by number limit $3`,
    [batchId, after, limit, status],
  );
  const ids = rows.flatMap(({ call_id: id }) => (id === null ? [] : [id]));
  const calls = ids.length === 0 ? [] : await db.selectFrom("calls").selectAll().where("id", "in", ids).execute();
  const byId = new Map(calls.map((call) => [call.id, call]));
  return rows.map(({ call_id: id, ...row }) => ({ ...row, call: (id && byId.get(id)) || null }));
}

export interface BatchRoom {
  readonly batch_id: string;
  /** How many further calls it may place now; never below zero. */
  readonly room: number;
}

/**
 * How far running batches may run ahead of dialing: twice as many calls as the account may make at once wait in the queue,
 * so that no line is idle and a pause takes effect soon. Calls that wait for their time do not count.
 */
export function readBatchRooms(db: Database): Promise<BatchRoom[]> {
  return run<BatchRoom>(
    db,
    `/* read_batch_rooms */ select b.id as batch_id, greatest(0, 2 * greatest(l.concurrency_max, 1) - (
         select count(*) from call_batch_rows r join calls c on c.id = r.call_id
         where r.batch_id = b.id and r.status = 'placed' and c.state = 'queued' and c.due_at <= clock_timestamp()
       ))::int as room
     from call_batches b join dispatch_lanes l on l.account_id = b.account_id and l.mode = b.mode
     where b.status = 'running'`,
  );
}

/** A row to be called, with its batch. */
export interface DueRow {
  readonly batch_id: string;
  readonly account_id: string;
  readonly mode: Mode;
  readonly api_key_id: string | null;
  readonly member_id: string | null;
  readonly is_key_revoked: boolean;
  readonly request: BatchRequest;
  readonly number: number;
  readonly phone_number: string;
  readonly fields: BatchFields;
}

/**
 * The next row of a running batch that no other transaction works on, locked together with a share of its batch, so that
 * pausing waits for it and then holds. Batches in `except` are left out.
 */
export async function lockDueRow(tx: Tx, except: readonly string[]): Promise<DueRow | null> {
  const [row] = await run<DueRow>(
    tx,
    `/* lock_due_batch_row */ select b.id as batch_id, b.account_id, b.mode, b.api_key_id, b.member_id, b.request,
       r.number, r.phone_number, r.fields,
       exists (select 1 from api_keys k where k.id = b.api_key_id and k.revoked_at is not null) as is_key_revoked
     from call_batches b join call_batch_rows r on r.batch_id = b.id
     where b.status = 'running' and r.status = 'waiting' and b.id <> all($1)
     order by b.created_at, b.id, r.number limit 1 for update of r skip locked for share of b skip locked`,
    [except],
  );
  return row ?? null;
}

export async function setRowPlaced(tx: Tx, { batch_id, number }: DueRow, callId: string): Promise<void> {
  await run(
    tx,
    `/* set_batch_row_placed */ update call_batch_rows set status = 'placed', call_id = $3
     where batch_id = $1 and number = $2 and status = 'waiting'`,
    [batch_id, number, callId],
  );
}

export async function setRowRefused(
  tx: Tx,
  { batch_id, number }: DueRow,
  refusal: { readonly code: string; readonly message: string },
): Promise<void> {
  await run(
    tx,
    `/* set_batch_row_refused */ update call_batch_rows set status = 'refused', refusal = $3
     where batch_id = $1 and number = $2 and status = 'waiting'`,
    [batch_id, number, JSON.stringify(refusal)],
  );
}

/** Marks running batches without waiting rows as done. */
export async function finishBatches(db: Database): Promise<void> {
  await run(
    db,
    `/* finish_batches */ update call_batches b set status = 'done' where b.status = 'running'
       and not exists (select 1 from call_batch_rows r where r.batch_id = b.id and r.status = 'waiting')`,
  );
}
