import type { Mode } from "@parley/contract/shared-fields";
import { isDatabaseAway } from "../../platform/database/failures.ts";
import type { Listener } from "../../platform/database/listen.ts";
import type { EventStream } from "./event-stream.ts";

interface CallChange {
  readonly accountId: string;
  readonly mode: Mode;
  readonly callId: string;
  readonly version: number;
}

export interface CallChanges {
  /** `null` means that changes may have been missed: read everything again. */
  follow(handler: (change: CallChange | null) => void): () => void;
}

/** Distributes the database's notifications about calls to their followers in this process. */
export function createCallChanges(listener: Listener, channel: string): CallChanges {
  const handlers = new Set<(change: CallChange | null) => void>();
  const notify = (change: CallChange | null) => {
    for (const handler of handlers) handler(change);
  };
  listener.on(channel, (payload) => {
    const [accountId = "", mode = "", callId = "", version = ""] = payload.split(" ");
    if (mode === "test" || mode === "live") notify({ accountId, mode, callId, version: Number(version) });
  });
  listener.onReconnect(() => notify(null));
  return {
    follow(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}

// Notifications are prompt but can be lost, so the call is also read every few seconds.
const POLL_MS = 5000;

/**
 * Calls `update`, which brings a stream up to date with a call: now, on each change of the call, and every few seconds; never
 * twice at the same time. Returns the function that stops it.
 */
export function followCallChanges(
  changes: CallChanges,
  callId: string,
  stream: EventStream,
  update: () => Promise<void>,
): () => void {
  let isUpdating = false;
  let again = false;

  async function updateInTurn(): Promise<void> {
    again = true;
    if (isUpdating) return;
    isUpdating = true;
    try {
      while (again && stream.isOpen) {
        again = false;
        await update();
      }
    } catch (error) {
      // While the database is away the stream stays open and continues afterwards.
      if (!isDatabaseAway(error)) stream.close();
    } finally {
      isUpdating = false;
    }
  }

  const unfollow = changes.follow((change) => {
    if (change === null || change.callId === callId) void updateInTurn();
  });
  const timer = setInterval(() => void updateInTurn(), POLL_MS);
  void updateInTurn();
  return () => {
    unfollow();
    clearInterval(timer);
  };
}
