import type { Database } from "../../platform/database/database.ts";
import { isDatabaseAway } from "../../platform/database/failures.ts";
import type { CallRow } from "../call-record.ts";
import type { CallChanges } from "../live/call-changes.ts";
import type { EventStream } from "../live/event-stream.ts";
import { readNumberedItems } from "./transcript-store.ts";

export interface FollowTranscriptParts {
  readonly db: Database;
  readonly changes: CallChanges;
  readonly callId: string;
  /** The current state of the call; read before its items, so that a transcript reported as ready is complete. */
  readState(): Promise<CallRow["state"]>;
  readonly stream: EventStream;
}

// Notifications are prompt but not certain; a look every few seconds makes up for a lost one.
const LOOK_AGAIN_MS = 5000;

/**
 * Sends the items so far, then additions and removals as they are committed, and ends with the call. Each item has a
 * permanent number: a client that reconnects is sent all of them again.
 */
export function followTranscript({ db, changes, callId, readState, stream }: FollowTranscriptParts): () => void {
  const sent = new Set<number>();
  let isLooking = false;
  let again = false;

  async function look(): Promise<void> {
    again = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (again && stream.isOpen) {
        again = false;
        await show();
      }
    } catch (error) {
      // While the database is away the stream stays open and goes on where it was.
      if (!isDatabaseAway(error)) stream.close();
    } finally {
      isLooking = false;
    }
  }

  async function show(): Promise<void> {
    const state = await readState();
    const items = await readNumberedItems(db, callId);
    const kept = new Set(items.map(({ ordinal }) => ordinal));
    for (const ordinal of [...sent].filter((each) => !kept.has(each))) {
      sent.delete(ordinal);
      stream.send({ event: "removed", data: { number: ordinal } });
    }
    for (const { ordinal, item } of items.filter((each) => !sent.has(each.ordinal))) {
      sent.add(ordinal);
      stream.send({ event: "item", data: { number: ordinal, item } });
    }
    if (state !== "ended") return;
    stream.send({ event: "ready", data: { items: items.length } });
    stream.close();
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
