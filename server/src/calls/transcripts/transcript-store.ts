import type { SecondPass, TranscriptItem } from "@parley/contract/transcripts";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { NumberedItem, TranscriptBatch } from "./transcript-draft.ts";

/** Inserts items. One that an earlier try has written is left unchanged. */
async function insertItems(tx: Tx, callId: string, items: readonly NumberedItem[]): Promise<void> {
  await run(
    tx,
    `/* insert_transcript_items */ insert into transcript_items (call_id, ordinal, type, turn, start_ms, item)
     select $1, n.ordinal, n.item->>'type', n.turn, n."orderMs", n.item
     from jsonb_to_recordset($2::jsonb) as n (ordinal int, turn int, "orderMs" int, item jsonb)
     on conflict on constraint transcript_items_pkey do nothing`,
    [callId, JSON.stringify(items)],
  );
}

async function deleteTurns(tx: Tx, callId: string, turns: readonly number[]): Promise<void> {
  await run(tx, "/* delete_transcript_turns */ delete from transcript_items where call_id = $1 and turn = any($2)", [
    callId,
    turns,
  ]);
}

/** The items with their permanent numbers, in the order in which they began. */
export async function readNumberedItems(
  db: Database,
  callId: string,
): Promise<{ readonly ordinal: number; readonly item: TranscriptItem }[]> {
  return run(
    db,
    "/* read_numbered_items */ select ordinal, item from transcript_items where call_id = $1 order by start_ms, ordinal",
    [callId],
  );
}

/**
 * The transcript of a call in the order in which its items began; of those that began together, in the order in which they
 * were noted. The caller has checked whose call it is.
 */
export async function readTranscript(db: Database, callId: string): Promise<TranscriptItem[]> {
  const rows = await run<{ item: TranscriptItem; revised: string | null }>(
    db,
    `/* read_transcript_items */ select i.item, r.text as revised from transcript_items i
     left join transcript_revisions r on r.call_id = i.call_id and r.ordinal = i.ordinal
     where i.call_id = $1 order by i.start_ms, i.ordinal`,
    [callId],
  );
  return rows.map(({ item, revised }) => (item.type === "speech" ? { ...item, revisedText: revised } : item));
}

/** The progress of the second pass over a call; null when there is none. */
export async function readSecondPass(db: Database, callId: string): Promise<SecondPass | null> {
  const [row] = await run<Omit<SecondPass, "finishedAt"> & { finished_at: Date | null }>(
    db,
    "/* read_second_pass */ select status, model, reason, finished_at from transcript_passes where call_id = $1",
    [callId],
  );
  if (!row) return null;
  const { status, model, reason, finished_at } = row;
  return { status, model, reason, finishedAt: finished_at?.toISOString() ?? null };
}

export async function deleteItems(tx: Tx, callId: string): Promise<void> {
  await run(tx, "/* delete_transcript_items */ delete from transcript_items where call_id = $1", [callId]);
}

/** Collected answers are the callee's words as well. */
export async function deleteWhatWasCollected(tx: Tx, callId: string): Promise<void> {
  await run(tx, "/* delete_collected */ update calls set collected = null, analysis = null where id = $1", [callId]);
}

/** Writes what was said and done since the last batch, in the caller's transaction. */
export async function writeTranscript(
  tx: Tx,
  callId: string,
  { items, undoneTurns }: Pick<TranscriptBatch, "items" | "undoneTurns">,
): Promise<void> {
  if (undoneTurns.length > 0) await deleteTurns(tx, callId, undoneTurns);
  if (items.length > 0) await insertItems(tx, callId, items);
}
