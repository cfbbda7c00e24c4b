import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ApiError } from "@parley/sdk";
import { createServer } from "./server.ts";
import { openServiceAccess } from "./service-access.ts";

export interface HttpOptions {
  /** The service that keys are for. */
  readonly url: string;
  readonly port: number;
  readonly host: string;
}

class BadRequest extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Serves the protocol over streamable HTTP, without sessions. Every request carries the API key of its client, which is used for
 * this request alone: this program has no rights of its own.
 */
export async function serveHttp({
  url,
  port,
  host,
}: HttpOptions): Promise<{ address: string; close(): Promise<void> }> {
  const server = createHttpServer((request, reply) => {
    answer(url, host, request, reply).catch((error: unknown) => {
      const isKnown = error instanceof ApiError || error instanceof BadRequest;
      refuse(reply, isKnown ? error.status : 502, isKnown ? error.message : "The service cannot be reached.");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function answer(url: string, host: string, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  // A web page must not reach a server on this machine under a name of its own (DNS rebinding).
  const isLocal = LOOPBACK.test(host);
  if (isLocal && !LOOPBACK.test(request.headers.host ?? ""))
    return refuse(reply, 403, "This host name is not allowed.");
  if (request.headers.origin !== undefined) return refuse(reply, 403, "Requests of web pages are not allowed.");
  if (new URL(request.url ?? "/", "http://localhost").pathname !== "/mcp") return refuse(reply, 404, "Use /mcp.");
  if (request.method !== "POST") return refuse(reply, 405, "Use POST.", { allow: "POST" });
  const [, key] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (key === undefined) {
    return refuse(reply, 401, "Send an API key of Parley as a bearer token.", { "www-authenticate": "Bearer" });
  }
  const body = await readJson(request);
  const server = createServer(await openServiceAccess(url, key));
  const transport = new StreamableHTTPServerTransport({});
  reply.on("close", () => void server.close());
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(request, reply, body);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > BODY_BYTES_MAX) throw new BadRequest("The request is too large.", 413);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadRequest("The request is not JSON.", 400);
    throw error;
  }
}

function refuse(reply: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  if (reply.headersSent) {
    reply.destroy();
    return;
  }
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null });
  reply.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}
