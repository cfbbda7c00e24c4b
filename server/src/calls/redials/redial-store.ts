import { run, type Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";

/** Remembers that an ended call is to be followed up. Doing so twice changes nothing. */
export async function insertRedial(tx: Tx, callId: string, callAt: Date): Promise<void> {
  await run(
    tx,
    "/* insert_redial */ insert into redials (call_id, call_at) values ($1, $2) on conflict on constraint redials_pkey do nothing",
    [callId, callAt],
  );
}

export interface DueRedial {
  readonly callAt: Date;
  /** The call to follow up, locked. */
  readonly call: CallRow;
  readonly isKeyRevoked: boolean;
}

/** A follow-up that is to be created and that no other transaction works on. It is locked with its call. */
export async function lockDueRedial(tx: Tx): Promise<DueRedial | null> {
  const [row] = await run<CallRow & { readonly call_at: Date; readonly is_key_revoked: boolean }>(
    tx,
    `/* lock_due_redial */ select r.call_at, c.*,
       exists (select 1 from api_keys k where k.id = c.api_key_id and k.revoked_at is not null) as is_key_revoked
     from redials r join calls c on c.id = r.call_id
     where r.next_try_at <= statement_timestamp() order by r.next_try_at limit 1 for update skip locked`,
  );
  return row === undefined ? null : { callAt: row.call_at, call: row, isKeyRevoked: row.is_key_revoked };
}

/** Returns whether it was still there. */
export async function deleteRedial(tx: Tx, callId: string): Promise<boolean> {
  const sql = "/* delete_redial */ delete from redials where call_id = $1 returning call_id";
  return (await run(tx, sql, [callId])).length > 0;
}

export async function postponeRedial(tx: Tx, callId: string, seconds: number): Promise<void> {
  await run(
    tx,
    `/* postpone_redial */ update redials set next_try_at = clock_timestamp() + make_interval(secs => $2)
     where call_id = $1`,
    [callId, seconds],
  );
}

/** Links a call to its follow-up, if there is one, and increments the event sequence for the event about it. */
export async function setFollowedBy(tx: Tx, callId: string, followedBy: string | null): Promise<CallRow> {
  const [row] = await run<CallRow>(
    tx,
    `/* set_followed_by */ update calls
     set followed_by_call_id = $2, version = version + 1, event_sequence = event_sequence + 1
     where id = $1 returning *`,
    [callId, followedBy],
  );
  if (row === undefined) throw new Error(`call ${callId} does not exist`);
  return row;
}
