import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface VendorServerOptions {
  /** The header with the key, and its value. Omitted: `judgeKey` decides, or `onSocket` after the handshake. */
  readonly keyHeader?: string;
  readonly keyValue?: string;
  judgeKey?(headers: IncomingMessage["headers"]): boolean;
  /** By default it speaks plain HTTP. */
  readonly tls?: TestTls;
  /** How this vendor words a refusal. */
  refusalOf(status: number): unknown;
  onSocket(socket: WebSocket, url: URL, headers: IncomingMessage["headers"]): void;
  onRequest?(url: URL, body: string, response: ServerResponse): void;
}

export interface TestTls {
  readonly key: string;
  readonly cert: string;
}

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
}

/** A vendor's host on the loopback interface: HTTP and WebSockets on one port, with one valid key. */
export interface VendorServer {
  /** `http://127.0.0.1:PORT`, or `https:`. */
  readonly url: string;
  /** HTTP requests and handshakes, refused ones included. */
  readonly requests: readonly SeenRequest[];
  readonly openSockets: number;
  readonly bytesReceived: number;
  /** The next handshake or request gets this answer. */
  refuseNext(refusal: Refusal): void;
  /** The next handshake gets no answer. */
  ignoreNext(): void;
  /** Cuts all connections without a closing handshake. */
  cutAll(): void;
  closeAll(code: number, reason: string): void;
  /** Resolves when no WebSocket is open. */
  nothingLeft(): Promise<void>;
  close(): Promise<void>;
}

export async function startVendorServer(options: VendorServerOptions): Promise<VendorServer> {
  const requests: SeenRequest[] = [];
  const accepting = new WebSocketServer({ noServer: true });
  const connections = new Set<Socket>();
  const sockets = new Set<WebSocket>();
  let bytesReceived = 0;
  let refusal: Refusal | null = null;
  let ignoresNext = false;
  let waiting: (() => void)[] = [];

  /** The refusal of this request, if there is one. */
  function judge({ url = "/", headers }: IncomingMessage): Refusal | null {
    requests.push({ url, headers });
    const planned = refusal;
    refusal = null;
    if (planned !== null) return planned;
    if (options.judgeKey?.(headers) === false) return { status: 401 };
    if (options.keyHeader === undefined) return null;
    return headers[options.keyHeader.toLowerCase()] === options.keyValue ? null : { status: 401 };
  }
  const bodyOf = ({ status, body }: Refusal) => body ?? JSON.stringify(options.refusalOf(status));

  const answer: RequestListener = async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    const refused = judge(request);
    if (refused !== null) {
      response.writeHead(refused.status, { "content-type": "application/json", ...refused.headers });
      response.end(bodyOf(refused));
    } else if (options.onRequest === undefined) response.writeHead(404).end();
    else options.onRequest(new URL(request.url ?? "/", "http://vendor"), body, response);
  };
  const http = options.tls ? createTlsServer(options.tls, answer) : createServer(answer);
  http.on("connection", (connection) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  http.on("upgrade", (request, connection, head) => {
    connection.on("error", () => undefined);
    if (ignoresNext) {
      ignoresNext = false;
      requests.push({ url: request.url ?? "/", headers: request.headers });
      return;
    }
    const refused = judge(request);
    if (refused !== null) {
      const body = bodyOf(refused);
      const headers = {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...refused.headers,
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      connection.end(`HTTP/1.1 ${refused.status} Refused\r\n${lines.join("\r\n")}\r\nConnection: close\r\n\r\n${body}`);
      return;
    }
    accepting.handleUpgrade(request, connection, head, (socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("message", (data: Buffer) => {
        bytesReceived += data.length;
      });
      socket.once("close", () => {
        sockets.delete(socket);
        if (sockets.size > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
      });
      options.onSocket(socket, new URL(request.url ?? "/", "http://vendor"), request.headers);
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;

  return {
    url: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`,
    requests,
    get openSockets() {
      return sockets.size;
    },
    get bytesReceived() {
      return bytesReceived;
    },
    refuseNext(next) {
      refusal = next;
    },
    ignoreNext() {
      ignoresNext = true;
    },
    cutAll() {
      for (const socket of sockets) socket.terminate();
    },
    closeAll(code, reason) {
      for (const socket of sockets) socket.close(code, reason);
    },
    async nothingLeft() {
      if (sockets.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async close() {
      for (const connection of connections) connection.destroy();
      http.close();
      await once(http, "close");
    },
  };
}
