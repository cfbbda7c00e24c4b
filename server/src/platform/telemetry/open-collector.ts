import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { SeverityNumber } from "@opentelemetry/api-logs";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { CollectorSettings } from "../config/telemetry-settings.ts";
import type { Collector, OpenSpan } from "./tracing.ts";

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const SEVERITIES: Readonly<Record<string, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
};
const CLOSE_WITHIN_MS = 3000;

export function openCollector(
  { url, headers, serviceName }: CollectorSettings,
  about: { readonly version: string; readonly roles: readonly string[] },
): Collector {
  const resource = resourceFromAttributes({
    "service.name": serviceName,
    "service.version": about.version,
    "service.instance.id": `${process.pid}`,
    "parley.roles": [...about.roles],
  });
  const spans = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${url}/v1/traces`, headers: { ...headers } }),
        scheduledDelayMillis: 1000,
      }),
    ],
  });
  const logs = new LoggerProvider({
    resource,
    processors: [
      new BatchLogRecordProcessor({
        exporter: new OTLPLogExporter({ url: `${url}/v1/logs`, headers: { ...headers } }),
        scheduledDelayMillis: 1000,
      }),
    ],
  });
  const tracer = spans.getTracer("parley", about.version);
  const logger = logs.getLogger("parley", about.version);
  return {
    start(name, { parent, kind = "internal", attributes = {}, startMs }) {
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], attributes, ...(startMs === undefined ? {} : { startTime: startMs }) },
        contextOf(parent),
      );
      return toOpenSpan(span);
    },
    log(line) {
      const { level, msg, time, ...fields } = JSON.parse(line) as Record<string, unknown>;
      logger.emit({
        severityNumber: SEVERITIES[String(level)] ?? SeverityNumber.UNSPECIFIED,
        severityText: String(level),
        body: String(msg),
        timestamp: Date.parse(String(time)),
        attributes: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toAttribute(value)])),
      });
    },
    async close() {
      const closed = Promise.allSettled([spans.shutdown(), logs.shutdown()]);
      const { promise, resolve } = Promise.withResolvers<void>();
      // A collector that is away must not keep the service from stopping.
      const timer = setTimeout(resolve, CLOSE_WITHIN_MS);
      await Promise.race([closed, promise]);
      clearTimeout(timer);
    },
  };
}

function toOpenSpan(span: Span): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    end({ attributes = {}, failure = null, atMs } = {}) {
      span.setAttributes(attributes);
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end(atMs);
    },
  };
}

// W3C Trace Context, section 3.2.2: version 00, and later ones as far as they are the same.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const INVALID = /^0+$/;

/** The ids of a traceparent, or null where it is not one. */
function readTraceparent(text: string | null | undefined): { traceId: string; spanId: string; flags: number } | null {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(text ?? "") ?? [];
  if (traceId === "" || INVALID.test(traceId) || INVALID.test(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

function contextOf(parent: string | null) {
  const read = readTraceparent(parent);
  if (read === null) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = read;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags & TraceFlags.SAMPLED,
    isRemote: true,
  });
}

function toAttribute(value: unknown): string | number | boolean {
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
  return JSON.stringify(value);
}
