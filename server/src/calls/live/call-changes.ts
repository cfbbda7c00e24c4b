import type { Mode } from "@parley/contract/shared-fields";
import type { Listener } from "../../platform/database/listen.ts";

export interface CallChange {
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
  const tell = (change: CallChange | null) => {
    for (const handler of handlers) handler(change);
  };
  listener.on(channel, (payload) => {
    const [accountId = "", mode = "", callId = "", version = ""] = payload.split(" ");
    if (mode === "test" || mode === "live") tell({ accountId, mode, callId, version: Number(version) });
  });
  listener.onReconnect(() => tell(null));
  return {
    follow(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
}
