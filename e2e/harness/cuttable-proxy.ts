import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Stands between a service and its database, and can be cut. */
export interface CuttableProxy {
  /** The same address, through the proxy. */
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  /** How much the service has sent to its database so far. */
  bytesSent(): number;
  close(): Promise<void>;
}

export async function openCuttableProxy(databaseUrl: string): Promise<CuttableProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let isCut = false;
  let sentBytes = 0;
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    near.on("data", (chunk: Buffer) => {
      sentBytes += chunk.length;
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  const destroyAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      destroyAll();
    },
    restore() {
      isCut = false;
    },
    bytesSent: () => sentBytes,
    async close() {
      destroyAll();
      server.close();
      await once(server, "close");
    },
  };
}
