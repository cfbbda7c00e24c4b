import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface ReceivedCallback {
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a carrier does with the requests to its public URL. */
interface EndpointHandler {
  handleCallback(callback: ReceivedCallback): { readonly status: number; readonly body: string };
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A public URL for a carrier in a test. */
export interface Endpoint {
  readonly url: string;
  /** Every callback that arrived, as received. */
  readonly received: readonly ReceivedCallback[];
  serve(handler: EndpointHandler): void;
  close(): Promise<void>;
}

export async function openEndpoint(): Promise<Endpoint> {
  let handler: EndpointHandler | null = null;
  const received: ReceivedCallback[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const path = request.url ?? "/";
        const callback = { url: urlOf(server) + path, path, headers: request.headers, body };
        received.push(callback);
        const reply = handler?.handleCallback(callback) ?? { status: 404, body: "" };
        response.writeHead(reply.status, { "content-type": "text/xml" }).end(reply.body);
      },
      () => response.destroy(),
    );
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (request, socket, head) => {
    if (handler === null) socket.destroy();
    else handler.handleUpgrade(request, socket, head);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf(server),
    received,
    serve(served) {
      handler = served;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
