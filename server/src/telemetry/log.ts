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
      serializers: { error: pino.stdSerializers.err },
    },
    scrubbed,
  );
}
