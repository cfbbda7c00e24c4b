import type { CallEvent } from "@parley/contract/call-events";
import type { Database } from "../platform/database/database.ts";
import type { CallRow } from "./call-record.ts";
import { findCall } from "./call-store.ts";
import { readCallEvents } from "./event-store.ts";
import { toCallEvent } from "./follow-call.ts";

/** More than any call has. */
const EVENTS_MAX = 1000;

/** A test call that has ended, with its timeline; null while it has not. */
export async function readFinishedCall(
  db: Database,
  accountId: string,
  callId: string,
): Promise<{ readonly call: CallRow; readonly events: readonly CallEvent[] } | null> {
  const call = await findCall(db, accountId, "test", callId);
  if (call?.state !== "ended") return null;
  const rows = await readCallEvents(db, callId, 0, EVENTS_MAX);
  return { call, events: rows.map(toCallEvent) };
}
