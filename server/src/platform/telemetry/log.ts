import { type Logger, pino } from "pino";
import { redactText } from "./redact.ts";

export type Log = Logger;

const CENSORED_FIELDS = ["pii", "password", "token", "authorization", "cookie", "key", "secret"];

/** JSON lines on standard output. Secrets are removed wherever they stand, also inside error messages. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const scrubbed = { write: (line: string) => void (destination ?? process.stdout).write(redactText(line)) };
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: CENSORED_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: "[removed]" },
      serializers: { error: (error: unknown) => withoutClient(pino.stdSerializers.err(error as Error)) },
    },
    scrubbed,
  );
}

/** The database pool hangs the whole connection on its errors: kilobytes of it in every line. */
function withoutClient(error: unknown): unknown {
  return error instanceof Object && "client" in error ? { ...error, client: undefined } : error;
}
