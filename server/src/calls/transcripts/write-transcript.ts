import type { Tx } from "../../platform/database/database.ts";
import type { TranscriptBatch } from "./transcript-draft.ts";
import { deleteTurns, insertItems } from "./transcript-store.ts";

/** Writes what was said and done since the last time, in the caller's transaction. */
export async function writeTranscript(
  tx: Tx,
  callId: string,
  { items, undoneTurns }: Pick<TranscriptBatch, "items" | "undoneTurns">,
): Promise<void> {
  if (undoneTurns.length > 0) await deleteTurns(tx, callId, undoneTurns);
  if (items.length > 0) await insertItems(tx, callId, items);
}
