import type { FastifyInstance } from "fastify";

export interface SecurityOptions {
  /** Whether people reach the service by https; only then may browsers be told to insist on it. */
  readonly https: boolean;
}

const NOTHING_MAY_LOAD = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
const ONE_YEAR_SECONDS = 31_536_000;

/** What every reply carries. */
export function securityHeaders({ https }: SecurityOptions): Readonly<Record<string, string>> {
  return {
    "content-security-policy": NOTHING_MAY_LOAD,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    ...(https ? { "strict-transport-security": `max-age=${ONE_YEAR_SECONDS}` } : {}),
  };
}

/**
 * Adds the headers to every reply, also to refusals. They are set before anything else, so that streams written by
 * hand have them too and a page that sets its own policy replaces ours.
 */
export function addSecurityHeaders(app: FastifyInstance, options: SecurityOptions): void {
  const headers = securityHeaders(options);
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(headers);
  });
}
