import { type Logger, pino } from "pino";

export type Log = Logger;

const CENSORED_FIELDS = ["pii", "password", "token", "authorization", "cookie", "key", "secret"];

/** JSON lines on standard output, and to `forward` where there is one. Secrets are removed everywhere, even inside error messages. */
export function createLog(
  level: string,
  destination?: { write(line: string): void },
  forward?: (line: string) => void,
): Log {
  const scrubbed = {
    write(line: string) {
      const text = redactText(line);
      (destination ?? process.stdout).write(text);
      forward?.(text);
    },
  };
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

// The scanner expression for our keys, the shapes of our cookies and link tokens, and those of vendors' keys.
const SECRETS: readonly [RegExp, string][] = [
  [/\bsvc_(live|test)_[0-9A-Za-z]{6,}/g, "svc_$1_[removed]"],
  [/\b(lt|st|ct|dt|rl)_[0-9A-Za-z_.-]{40,}/g, "$1_[removed]"],
  [/(postgres(?:ql)?:\/\/[^:@/\s"]*):[^@/\s"]*@/g, "$1:[removed]@"],
  [/\b(sk-|AIza)[0-9A-Za-z_-]{16,}/g, "$1[removed]"],
  [/(Bearer )[^\s"\\]+/gi, "$1[removed]"],
];

/** Takes out of a text whatever could be used to sign in, place calls or reach the database. */
export function redactText(text: string): string {
  return SECRETS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}
