import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";

const FAULTS = ["none", "refused_before", "lost_reply", "cut_reply", "proxy_error"] as const;
type Fault = (typeof FAULTS)[number];

/** Stands between a client and the service, and does to requests what networks do. */
export interface FaultyProxy {
  readonly url: string;
  /** How often each fault happened. */
  readonly counts: Readonly<Record<Fault, number>>;
  /** Forwards to another port from now on, as after a restart. */
  forwardTo(port: number): void;
  close(): Promise<void>;
}

/** `random` decides about each request: less than half of them arrive and return unharmed. */
export async function openFaultyProxy(port: number, random: () => number): Promise<FaultyProxy> {
  let target = port;
  const counts: Record<Fault, number> = { none: 0, refused_before: 0, lost_reply: 0, cut_reply: 0, proxy_error: 0 };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = chooseFault(random);
    counts[fault] += 1;
    const body = await buffer(request);
    if (fault === "refused_before") return void request.socket.destroy();
    if (fault === "proxy_error")
      return void response.writeHead(503, { "content-type": "text/html" }).end("<h1>Busy</h1>");
    const reply = await forward(target, request, body);
    if (reply === null) return void response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad</h1>");
    if (fault === "lost_reply") return void request.socket.destroy();
    response.writeHead(reply.status, reply.headers);
    if (fault === "none") return void response.end(reply.body);
    response.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)), () => request.socket.destroy());
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    forwardTo(next) {
      target = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function chooseFault(random: () => number): Fault {
  const value = random();
  if (value < 0.45) return "none";
  return FAULTS[1 + Math.floor(((value - 0.45) / 0.55) * (FAULTS.length - 1))] ?? "none";
}

interface Forwarded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Null if the service is not there. */
function forward(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Forwarded | null> {
  return new Promise((resolve) => {
    const sending = sendRequest({ port, host: "127.0.0.1", method, path: url, headers, agent: false }, (reply) => {
      buffer(reply).then(
        (received) => resolve({ status: reply.statusCode ?? 502, headers: reply.headers, body: received }),
        () => resolve(null),
      );
    });
    sending.on("error", () => resolve(null));
    sending.end(body);
  });
}
