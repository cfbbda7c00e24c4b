import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { explainNotReady, type HealthDeps, isOperator } from "./health-routes.ts";

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Serves liveness, readiness and metrics on a port of its own, for processes that answer no other requests and for networks in
 * which the port of the API is public. Without an operator token the metrics are open here.
 */
export async function openHealthServer(deps: HealthDeps, host: string, port: number): Promise<HealthServer> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(deps, request).then(
      (reply) => send(request, response, reply),
      () => send(request, response, { status: 500, type: TEXT, body: "internal error\n" }),
    );
  });
  server.on("clientError", (_, socket) => socket.destroy());
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface HealthReply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";

async function answer(deps: HealthDeps, { method, url, headers }: IncomingMessage): Promise<HealthReply> {
  if (method !== "GET" && method !== "HEAD") return { status: 405, type: TEXT, body: "use GET\n" };
  const [path] = (url ?? "").split("?");
  switch (path) {
    case "/healthz":
      return { status: 200, type: JSON_TYPE, body: JSON.stringify({ status: "alive" }) };
    case "/readyz":
      try {
        await deps.checkReady();
        return { status: 200, type: JSON_TYPE, body: JSON.stringify({ status: "ready" }) };
      } catch (error) {
        const reason = explainNotReady(error);
        return { status: 503, type: JSON_TYPE, body: JSON.stringify({ status: "not_ready", reason }) };
      }
    case "/metrics":
      if (deps.operatorToken !== null && !isOperator(headers.authorization, deps.operatorToken))
        return { status: 401, type: TEXT, body: "Metrics need `Authorization: Bearer` with PARLEY_OPERATOR_TOKEN.\n" };
      return { status: 200, type: deps.metrics.contentType, body: await deps.metrics.text() };
    default:
      return { status: 404, type: TEXT, body: "there are /healthz, /readyz and /metrics\n" };
  }
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, type, body }: HealthReply): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(method === "HEAD" ? undefined : body);
}
