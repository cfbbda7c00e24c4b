import { suppressNumber } from "../../phone/gate/suppress-number.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { recordCallEvent } from "../record-event.ts";
import type { TranscriptBatch } from "../transcripts/transcript-draft.ts";
import { writeTranscript } from "../transcripts/write-transcript.ts";
import { countEvent, setConversation } from "./progress-store.ts";
import { LeaseLost } from "./run-store.ts";

/**
 * Commits what was said, done and found out since the last time, together. It can be repeated after a lost reply: items
 * are written once, and only the timeline may then say twice that there was something new. Throws LeaseLost when the
 * call is no longer this run's, and for a call that nobody answered.
 */
export function commitConversation(db: Database, call: CallRow, batch: TranscriptBatch): Promise<void> {
  return inTransaction(db, async (tx) => {
    const isLonger = batch.items.length > 0 || batch.undoneTurns.length > 0;
    const row = await setConversation(tx, call.id, call.fence, batch, isLonger ? 1 : 0);
    if (!row) throw new LeaseLost(`call ${call.id} is not held by fence ${call.fence}, or was never answered`);
    await writeTranscript(tx, call.id, batch);
    if (isLonger) await recordCallEvent(tx, row, "call.transcript_extended", { items: batch.items.length });
    if (batch.answeredBy !== null) await addEvent(tx, call, "call.answered_by", { answeredBy: batch.answeredBy });
    if (batch.suppresses) {
      await suppressNumber(tx, call.account_id, call.phone_number, `asked for in ${call.id}`);
      await addEvent(tx, call, "call.number_suppressed", {});
    }
  });
}

async function addEvent(
  tx: Tx,
  call: CallRow,
  type: "call.answered_by" | "call.number_suppressed",
  data: Record<string, unknown>,
): Promise<void> {
  const row = await countEvent(tx, call.id, call.fence);
  if (row) await recordCallEvent(tx, row, type, data);
}
