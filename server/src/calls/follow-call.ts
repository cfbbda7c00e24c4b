import { type CallEvent, FINAL_CALL_EVENT_TYPES } from "@parley/contract/call-events";
import type { Database } from "../platform/database/database.ts";
import { isDatabaseAway } from "../platform/database/failures.ts";
import { type CallEventRow, readCallEvents } from "./event-store.ts";
import type { CallChanges } from "./live/call-changes.ts";
import type { EventStream } from "./live/event-stream.ts";

const BATCH = 100;
// Notifications are prompt but not certain; a look every few seconds makes up for a lost one.
const LOOK_AGAIN_MS = 5000;

export function toCallEvent(row: CallEventRow): CallEvent {
  return { sequence: row.sequence, type: row.type, createdAt: row.created_at.toISOString(), data: row.data };
}

/** Sends a call's events after a sequence number, then new ones as they are committed, and ends after the final one. */
export function followCall(
  db: Database,
  changes: CallChanges,
  callId: string,
  afterSequence: number,
  stream: EventStream,
): () => void {
  let last = afterSequence;
  let looking = false;
  let again = false;

  async function look(): Promise<void> {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    try {
      do {
        again = false;
        const rows = await readCallEvents(db, callId, last, BATCH);
        for (const row of rows) {
          last = row.sequence;
          stream.send({ id: String(row.sequence), event: row.type, data: toCallEvent(row) });
          if (FINAL_CALL_EVENT_TYPES.includes(row.type)) return stream.close();
        }
        again ||= rows.length === BATCH;
      } while (again && stream.isOpen);
    } catch (error) {
      // While the database is away the stream stays open and goes on where it was.
      if (!isDatabaseAway(error)) stream.close();
    } finally {
      looking = false;
    }
  }

  const unfollow = changes.follow((change) => {
    if (change === null || change.callId === callId) void look();
  });
  const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
  void look();
  return () => {
    unfollow();
    clearInterval(timer);
  };
}
