import { z } from "zod";

/** Settings for operating the service, by their names in the environment and in the settings file. */
export const TELEMETRY_SETTINGS = {
  PARLEY_HEALTH_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("The address of the port for health checks and metrics."),
  PARLEY_HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      "A port for `/healthz`, `/readyz` and `/metrics` only, in any role; `0` picks a free one. The processes that conduct calls for this one (`PARLEY_WORKER_PROCESSES`) use the ports after it. Default: none; processes with the role `api` also serve these paths on their own port.",
    ),
  PARLEY_SHUTDOWN_DELAY_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(0)
    .describe(
      "How long a stopping process with the role `api` still answers requests after `/readyz` has become 503, so that a load balancer notices first. At least two intervals of its health check. Default: `0`, for installations without one.",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((text) => text.replace(/\/+$/, ""))
    .optional()
    .describe(
      "The URL of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`, for traces of calls and logs. Default: none are sent.",
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((pair) => pair.includes("=")))
    .transform((pairs) =>
      Object.fromEntries(
        pairs.map((pair) => [
          pair.slice(0, pair.indexOf("=")).trim(),
          decodeURIComponent(pair.slice(pair.indexOf("=") + 1).trim()),
        ]),
      ),
    )
    .describe("Headers for the collector, such as `authorization=Bearer%20...`, separated by commas."),
  OTEL_SERVICE_NAME: z.string().min(1).default("parley").describe("The name of the service in traces and logs."),
};
type RawTelemetrySettings = z.infer<z.ZodObject<typeof TELEMETRY_SETTINGS>>;

export interface TelemetrySettings {
  /** The port for health checks and metrics; null for none. */
  readonly health: { readonly host: string; readonly port: number } | null;
  readonly shutdownDelayMs: number;
  /** Where traces and logs are sent; null for nowhere. */
  readonly collector: CollectorSettings | null;
}

export interface CollectorSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
}

export function toTelemetrySettings(raw: RawTelemetrySettings): TelemetrySettings {
  const { PARLEY_HEALTH_HOST: host, PARLEY_HEALTH_PORT: port, OTEL_EXPORTER_OTLP_ENDPOINT: url } = raw;
  return {
    health: port === undefined ? null : { host, port },
    shutdownDelayMs: raw.PARLEY_SHUTDOWN_DELAY_SECONDS * 1000,
    collector:
      url === undefined ? null : { url, headers: raw.OTEL_EXPORTER_OTLP_HEADERS, serviceName: raw.OTEL_SERVICE_NAME },
  };
}
