import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openCollector } from "../../platform/telemetry/open-collector.ts";
import type { Tracing } from "../../platform/telemetry/tracing.ts";
import type { CallRow } from "../call-record.ts";
import { CallTrace } from "./call-trace.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALL = {
  id: "call_1",
  account_id: "acc_1",
  mode: "live",
  engine: "local",
  agent_id: "agt_1",
  phone_number: "+4915112345678",
  trace_context: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
} as CallRow;

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number; readonly message?: string };
}

/** Runs the work with a real exporter, and returns the spans as a collector receives them (OTLP over HTTP, JSON). */
async function collect(work: (tracing: Tracing) => void): Promise<{ spans: Span[]; sent: string; headers: unknown[] }> {
  const bodies: string[] = [];
  const headers: unknown[] = [];
  const server = createServer(async (request, reply) => {
    headers.push([request.url, request.headers["x-tenant"]]);
    bodies.push(await text(request));
    reply.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const about = { version: "1", roles: ["calls"] };
  const collector = openCollector({ url, headers: { "x-tenant": "one" }, serviceName: "parley" }, about);
  work(collector);
  await collector.close();
  server.closeAllConnections();
  server.close();
  const spans = bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
  return { spans, sent: bodies.join(), headers };
}

test("each reply is a span of the conversation, with its stages in order from the callee's last word to our first audio", async () => {
  const nowMs = 1_700_000_000_000;
  const { spans, headers } = await collect((tracing) => {
    const trace = new CallTrace(tracing, CALL, () => nowMs);
    trace.note({ type: "dial.sent" });
    trace.note({ type: "answered" } as never);
    const stages = [
      { stage: "hold" as const, ms: 240 },
      { stage: "model" as const, ms: 300 },
      { stage: "voice" as const, ms: 60 },
    ];
    const rest = {
      holdMs: 240,
      recognitionMs: 0,
      decisionMs: 300,
      firstAudioMs: 60,
      ducks: 0,
      interruptions: 0,
      undos: 0,
    };
    trace.reply({ ...rest, turnId: 3, totalMs: 600, stages });
    trace.end({ reason: "agent_hangup", by: "agent", isOrderly: true } as never);
  });
  const find = (name: string) => spans.find((span) => span.name === name);
  expect(headers).toEqual([["/v1/traces", "one"]]);
  expect(spans.every(({ traceId }) => traceId === TRACE_ID)).toBe(true);
  expect(find("call")?.parentSpanId).toBe("00f067aa0ba902b7");
  for (const part of ["ring", "conversation"]) expect(find(part)?.parentSpanId).toBe(find("call")?.spanId);
  expect(find("turn")?.parentSpanId).toBe(find("conversation")?.spanId);
  const times = (name: string) =>
    [find(name)?.startTimeUnixNano, find(name)?.endTimeUnixNano].map(
      (nano) => Number(BigInt(nano ?? 0) / 1_000_000n) - nowMs,
    );
  expect(["turn", "hold", "model", "voice"].map(times)).toEqual([
    [-600, 0],
    [-600, -360],
    [-360, -60],
    [-60, 0],
  ]);
  for (const stage of ["hold", "model", "voice"]) expect(find(stage)?.parentSpanId).toBe(find("turn")?.spanId);
});

test("a call that fails says why by a code, and nothing tells who was called or what was said", async () => {
  const { spans, sent } = await collect((tracing) => {
    const trace = new CallTrace(tracing, CALL, Date.now);
    trace.note({ type: "dial.sent" });
    const incident = { what: "conversation_failed", reason: "could not say: Dear Mrs Miller", agoMs: 0 } as const;
    trace.note({ type: "incident", incident });
    trace.end({ reason: "engine_error", by: "system", isOrderly: false } as never);
  });
  const failed = spans.map(({ name, status }) => [name, status.message ?? null]);
  expect(failed).toContainEqual(["incident", "conversation_failed"]);
  expect(failed).toContainEqual(["call", "engine_error"]);
  expect(sent).not.toContain("Miller");
  expect(sent).not.toContain("4915112345678");
});

test("a call without a trace context begins a trace of its own", async () => {
  const { spans } = await collect((tracing) =>
    new CallTrace(tracing, { ...CALL, trace_context: null } as CallRow, Date.now).end("requeued"),
  );
  expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId ?? ""])).toEqual([["call", ""]]);
});
