import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

export interface OtlpCollector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly logs: { readonly severityText: string; readonly body: { readonly stringValue: string } }[];
  /** Everything it received, as it was sent. */
  received(): string;
  close(): Promise<void>;
}

/** Takes OTLP over HTTP in JSON (OpenTelemetry protocol, section "OTLP/HTTP") and refuses what is not in its form. */
export async function openOtlpCollector(): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  const logs: OtlpCollector["logs"] = [];
  let received = "";
  const server = createServer(async (request, reply) => {
    const body = await text(request);
    received += body;
    const message = JSON.parse(body);
    if (request.url === "/v1/traces")
      for (const { scopeSpans } of message.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    else if (request.url === "/v1/logs")
      for (const { scopeLogs } of message.resourceLogs) for (const scope of scopeLogs) logs.push(...scope.logRecords);
    else {
      reply.writeHead(404).end();
      return;
    }
    reply.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    logs,
    received: () => received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
