import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run, type Tx } from "../database/database.ts";
import { deleteInBatches } from "../database/delete-in-batches.ts";

/** What identifies a repeated request: the caller, the mode and the content. */
export interface IdempotencyScope {
  readonly accountId: string;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** The member; `key` for a program, because all keys of an account share idempotency records. */
  readonly askedBy: string;
}

export interface IdempotencyRecord {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly body: string;
}

const scopeValues = ({ accountId, mode, method, path, key, askedBy }: IdempotencyScope) => [
  accountId,
  mode,
  method,
  path,
  key,
  askedBy,
];

/** Takes the lock for the rest of the transaction, or returns false because another request holds it. */
export async function tryLockIdempotencyKey(tx: Tx, scope: IdempotencyScope): Promise<boolean> {
  const [row] = await run<{ locked: boolean }>(
    tx,
    "/* lock_idempotency_key */ select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked",
    [scopeValues(scope).join("\n")],
  );
  return row?.locked ?? false;
}

export async function findIdempotencyRecord(db: Database, scope: IdempotencyScope): Promise<IdempotencyRecord | null> {
  const [row] = await run<IdempotencyRecord>(
    db,
    `/* find_idempotency_record */ select fingerprint, status, body from idempotency_records
     where account_id = $1 and mode = $2 and method = $3 and path = $4 and idempotency_key = $5 and asked_by = $6
       and created_at > now() - interval '7 days'`,
    scopeValues(scope),
  );
  return row ?? null;
}

export async function saveIdempotencyRecord(tx: Tx, scope: IdempotencyScope, record: IdempotencyRecord): Promise<void> {
  await run(
    tx,
    `/* save_idempotency_record */ insert into idempotency_records
       (account_id, mode, method, path, idempotency_key, asked_by, fingerprint, status, body)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (account_id, mode, method, path, idempotency_key, asked_by) do update
       set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = clock_timestamp()`,
    [...scopeValues(scope), record.fingerprint, record.status, record.body],
  );
}

/** Deletes records past their seven days. */
export async function purgeIdempotencyRecords(db: Database): Promise<void> {
  await deleteInBatches(db, { table: "idempotency_records", where: "created_at <= now() - interval '7 days'" });
}

/** The call that replies may be about. */
export interface RepliedCall {
  readonly id: string;
  readonly account_id: string;
  readonly mode: Mode;
}

/** Empties the fields of a call that hold what it was about, in every kept reply to a request that placed or ended it. */
export async function redactReplyBodies(tx: Tx, call: RepliedCall): Promise<void> {
  await run(
    tx,
    `/* redact_reply_bodies */ update idempotency_records
     set body = (body::jsonb || jsonb_build_object('data', body::jsonb->'data' || '{"variables": {}, "collected": null}'))::text
     where account_id = $1 and mode = $2 and (path = '/api/v1/calls' or path like '/api/v1/calls/%')
       and strpos(body, $3) > 0 and body::jsonb->'data'->>'id' = $3`,
    [call.account_id, call.mode, call.id],
  );
}
