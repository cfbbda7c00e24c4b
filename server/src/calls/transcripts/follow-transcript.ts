import type { Database } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { type CallChanges, followCallChanges } from "../live/call-changes.ts";
import type { EventStream } from "../live/event-stream.ts";
import { readNumberedItems } from "./transcript-store.ts";

export interface FollowTranscriptOptions {
  readonly db: Database;
  readonly changes: CallChanges;
  readonly callId: string;
  /** The current state of the call; read before its items, so that a transcript reported as ready is complete. */
  readState(): Promise<CallRow["state"]>;
  readonly stream: EventStream;
}

/**
 * Sends the items so far, then additions and removals as they are committed, and ends with the call. Each item has a
 * permanent number: a client that reconnects is sent all of them again.
 */
export function followTranscript({ db, changes, callId, readState, stream }: FollowTranscriptOptions): () => void {
  const sent = new Set<number>();

  return followCallChanges(changes, callId, stream, async () => {
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
  });
}
