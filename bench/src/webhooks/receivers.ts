import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Arrival {
  readonly id: string;
  readonly atMs: number;
  readonly body: string;
}

export interface Receivers {
  /** Eight that respond immediately, one closed port, one that never responds. */
  readonly urls: readonly string[];
  readonly goodCount: number;
  /** What the good ones received, each delivery once. */
  readonly arrivals: Arrival[];
  untilArrived(count: number, withinMs: number): Promise<void>;
  clear(): void;
  close(): Promise<void>;
}

const GOOD = 8;

export async function openReceivers(): Promise<Receivers> {
  const arrivals: Arrival[] = [];
  let seen = new Set<string>();
  const servers: Server[] = [];
  const urls: string[] = [];
  let waiting: { readonly count: number; readonly tell: () => void } | null = null;

  async function open(isGood: boolean): Promise<string> {
    const server = createServer((request, reply) => {
      if (!isGood) return void request.resume();
      void text(request).then((body) => {
        reply.writeHead(204).end();
        const id = String(request.headers["webhook-id"]);
        const key = `${request.socket.localPort} ${id}`;
        if (seen.has(key)) return;
        seen.add(key);
        arrivals.push({ id, atMs: Date.now(), body });
        if (waiting && arrivals.length >= waiting.count) waiting.tell();
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  for (let count = 0; count < GOOD; count += 1) urls.push(await open(true));
  const dead = await open(false);
  servers.pop()?.close();
  urls.push(dead, await open(false));
  return {
    urls,
    goodCount: GOOD,
    arrivals,
    async untilArrived(count, withinMs) {
      if (arrivals.length >= count) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(
        () => reject(new Error(`${arrivals.length} of ${count} events arrived within ${withinMs} ms`)),
        withinMs,
      );
      waiting = { count, tell: resolve };
      await promise.finally(() => clearTimeout(timer));
      waiting = null;
    },
    clear() {
      arrivals.length = 0;
      seen = new Set();
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
    },
  };
}
