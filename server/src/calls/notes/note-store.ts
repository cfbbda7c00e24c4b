import type { CallNotesChanges } from "@parley/contract/call-notes";
import type { Mode } from "@parley/contract/shared-fields";
import type { z } from "zod";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";

export interface NoteRow {
  readonly tags: readonly string[];
  readonly note: string;
  readonly changed_at: Date;
}

export async function findNotes(db: Database, callId: string): Promise<NoteRow | null> {
  const [row] = await run<NoteRow>(
    db,
    "/* find_call_notes */ select tags, note, changed_at from call_notes where call_id = $1",
    [callId],
  );
  return row ?? null;
}

/** Changes what is given and leaves the rest. */
export async function writeNotes(
  tx: Tx,
  call: { readonly id: string; readonly accountId: string },
  { tags, note }: z.output<typeof CallNotesChanges>,
  changedBy: string,
): Promise<NoteRow> {
  const [row] = await run<NoteRow>(
    tx,
    `/* write_call_notes */ insert into call_notes as n (call_id, account_id, tags, note, changed_by)
     values ($1, $2, coalesce($3::text[], '{}'), coalesce($4, ''), $5)
     on conflict on constraint call_notes_pkey do update set tags = coalesce($3::text[], n.tags), note = coalesce($4, n.note),
       changed_by = excluded.changed_by, changed_at = clock_timestamp()
     returning tags, note, changed_at`,
    [call.id, call.accountId, tags ?? null, note ?? null, changedBy],
  );
  if (!row) throw new Error("the note was not stored");
  return row;
}

export async function deleteNotes(tx: Tx, callId: string): Promise<void> {
  await run(tx, "/* delete_call_notes */ delete from call_notes where call_id = $1", [callId]);
}

export interface ShareRow {
  readonly id: string;
  readonly call_id: string;
  readonly account_id: string;
  readonly mode: Mode;
  readonly has_recording: boolean;
  readonly created_at: Date;
  readonly created_by: string | null;
  readonly expires_at: Date;
}

export async function insertShare(
  tx: Tx,
  share: Omit<ShareRow, "created_at"> & { readonly digest: Buffer },
): Promise<ShareRow> {
  const [row] = await run<ShareRow>(
    tx,
    `/* insert_call_share */ insert into call_shares (id, call_id, account_id, mode, digest, has_recording, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
    [
      share.id,
      share.call_id,
      share.account_id,
      share.mode,
      share.digest,
      share.has_recording,
      share.created_by,
      share.expires_at,
    ],
  );
  if (!row) throw new Error("the link was not stored");
  return row;
}

/** The links to a call that work, newest first. */
export function readShares(db: Database, callId: string, now: Date): Promise<ShareRow[]> {
  return run<ShareRow>(
    db,
    "/* read_call_shares */ select * from call_shares where call_id = $1 and expires_at > $2 order by created_at desc, id",
    [callId, now],
  );
}

export async function findShare(db: Database, digest: Buffer, now: Date): Promise<ShareRow | null> {
  const [row] = await run<ShareRow>(
    db,
    "/* find_call_share */ select * from call_shares where digest = $1 and expires_at > $2",
    [digest, now],
  );
  return row ?? null;
}

export async function deleteShare(tx: Tx, callId: string, id: string): Promise<boolean> {
  const rows = await run(
    tx,
    "/* delete_call_share */ delete from call_shares where id = $1 and call_id = $2 returning id",
    [id, callId],
  );
  return rows.length > 0;
}

/** The links to a call whose data was erased open nothing. */
export async function deleteShares(tx: Tx, callId: string): Promise<void> {
  await run(tx, "/* delete_call_shares */ delete from call_shares where call_id = $1", [callId]);
}

export async function deleteDeadShares(db: Database): Promise<void> {
  await deleteInBatches(db, { table: "call_shares", where: "expires_at < now()" });
}

export async function readAgentName(db: Database, agentId: string): Promise<string> {
  const [row] = await run<{ name: string }>(db, "/* read_agent_name */ select name from agents where id = $1", [
    agentId,
  ]);
  return row?.name ?? "";
}
