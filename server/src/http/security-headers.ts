import type { FastifyInstance } from "fastify";

export interface SecurityOptions {
  /** Whether people reach the service by https; only then may browsers be told to insist on it. */
  readonly https: boolean;
}

const NOTHING_MAY_LOAD = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
const ONE_YEAR_SECONDS = 31_536_000;

/** What every reply carries. Replies that bypass the hook (streams written by hand) add these themselves. */
export function securityHeaders({ https }: SecurityOptions): Readonly<Record<string, string>> {
  return {
    "content-security-policy": NOTHING_MAY_LOAD,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    ...(https ? { "strict-transport-security": `max-age=${ONE_YEAR_SECONDS}` } : {}),
  };
}

/** Adds the headers to every reply, also to refusals. A page that sets its own policy keeps it. */
export function addSecurityHeaders(app: FastifyInstance, options: SecurityOptions): void {
  const headers = Object.entries(securityHeaders(options));
  app.addHook("onSend", async (_request, reply) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
  });
}
