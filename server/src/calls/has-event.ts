import type { CallEventType } from "@parley/contract/call-events";
import type { Database } from "../platform/database/database.ts";
import { readCallEvents } from "./event-store.ts";

/** More than any call has. */
const EVENTS_MAX = 1000;

/** Whether something happened to a call. Who asks has made sure whose call it is. */
export async function hasEvent(db: Database, callId: string, type: CallEventType): Promise<boolean> {
  const events = await readCallEvents(db, callId, 0, EVENTS_MAX);
  return events.some((event) => event.type === type);
}
