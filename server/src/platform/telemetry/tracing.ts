import type { Attributes } from "@opentelemetry/api";

/** A step of a trace that is under way. */
export interface OpenSpan {
  /** Names this span as the parent of others, also in other processes (W3C Trace Context); null where nothing is traced. */
  readonly traceparent: string | null;
  /** Ends it. A failure is described by a code, never by what was said or sent. */
  end(options?: { readonly attributes?: Attributes; readonly failure?: string | null; readonly atMs?: number }): void;
}

interface SpanOptions {
  /** The traceparent of the span above it; null for the beginning of a trace. */
  readonly parent: string | null;
  readonly kind?: "server" | "client" | "internal";
  readonly attributes?: Attributes;
  /** When it began, if not now. */
  readonly startMs?: number;
}

/** Sends traces to a collector. Attributes hold ids, names of our own and numbers: nothing that a person said, wrote or is. */
export interface Tracing {
  start(name: string, options: SpanOptions): OpenSpan;
}

const NOT_TRACED: OpenSpan = { traceparent: null, end: () => undefined };
export const noTracing: Tracing = { start: () => NOT_TRACED };

/** The connection to a collector, for traces and logs. */
export interface Collector extends Tracing {
  /** Sends a line of our log, in which secrets and personal content were replaced before. */
  log(line: string): void;
  /** Sends what is left. */
  close(): Promise<void>;
}
