import { type CallEvent, FINAL_CALL_EVENT_TYPES } from "@parley/contract/call-events";
import type { Database } from "../platform/database/database.ts";
import { type CallEventRow, readCallEvents } from "./event-store.ts";
import { type CallChanges, followCallChanges } from "./live/call-changes.ts";
import type { EventStream } from "./live/event-stream.ts";

const BATCH = 100;

export function toCallEvent(row: CallEventRow): CallEvent {
  return { sequence: row.sequence, type: row.type, createdAt: row.created_at.toISOString(), data: row.data };
}

/** Streams a call's events after a sequence number, then new ones as they are committed, and ends after the final one. */
export function followCall(
  db: Database,
  changes: CallChanges,
  callId: string,
  afterSequence: number,
  stream: EventStream,
): () => void {
  let last = afterSequence;

  return followCallChanges(changes, callId, stream, async () => {
    for (let count = BATCH; count === BATCH && stream.isOpen; ) {
      const rows = await readCallEvents(db, callId, last, BATCH);
      count = rows.length;
      for (const row of rows) {
        last = row.sequence;
        stream.send({ id: String(row.sequence), event: row.type, data: toCallEvent(row) });
        if (FINAL_CALL_EVENT_TYPES.includes(row.type)) return stream.close();
      }
    }
  });
}
