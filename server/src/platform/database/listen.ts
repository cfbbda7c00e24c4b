import pg from "pg";
import { createClient } from "./connecting/connect.ts";

export interface Listener {
  /** False while the connection is down: caches that rely on notifications must not be used. */
  readonly isListening: boolean;
  on(channel: string, handler: (payload: string) => void): () => void;
  /** Called after each reconnect: notifications may have been missed. */
  onReconnect(handler: () => void): () => void;
  close(): Promise<void>;
}

const RETRY_MS = 300;

/** Keeps one connection that listens on the given channels, and reconnects when it is lost. */
export function listen(url: string, channels: readonly string[], onError: (error: unknown) => void): Listener {
  const handlers = new Map<string, Set<(payload: string) => void>>(channels.map((channel) => [channel, new Set()]));
  const reconnected = new Set<() => void>();
  let client: pg.Client | null = null;
  let isListening = false;
  let isClosed = false;
  let retryTimer: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    if (isClosed) return;
    const next = createClient(url, { application_name: "parley-listen", keepAlive: true });
    client = next;
    next.on("notification", ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload ?? "");
    });
    next.on("error", lost);
    next.on("end", () => lost());
    try {
      await next.connect();
      await next.query(channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join(";"));
      if (client !== next) return;
      isListening = true;
      for (const handler of reconnected) handler();
    } catch (error) {
      lost(error);
    }

    function lost(error?: unknown): void {
      if (client !== next) return;
      client = null;
      isListening = false;
      next.removeAllListeners();
      // pg reports further trouble on a dead socket as events; without a listener they would end the process.
      next.on("error", () => undefined);
      next.end().catch(() => undefined);
      if (isClosed) return;
      if (error) onError(error);
      retryTimer = setTimeout(() => void connect(), RETRY_MS);
    }
  }

  void connect();
  return {
    get isListening() {
      return isListening;
    },
    on(channel, handler) {
      const set = handlers.get(channel);
      if (!set) throw new Error(`not listening on ${channel}`);
      set.add(handler);
      return () => set.delete(handler);
    },
    onReconnect(handler) {
      reconnected.add(handler);
      return () => reconnected.delete(handler);
    },
    async close() {
      isClosed = true;
      isListening = false;
      if (retryTimer) clearTimeout(retryTimer);
      const last = client;
      client = null;
      await last?.end().catch(() => undefined);
    },
  };
}
