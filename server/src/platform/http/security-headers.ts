import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import fastifyCors from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";

export interface SecurityOptions {
  /** Whether the service uses https; only then may browsers be asked to require it. */
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

const PREFLIGHT_LASTS_SECONDS = 600;

/**
 * Lets pages of the origins that the operator named use the API with a key. Never with credentials: a cookie is for our
 * own pages alone. Pages and sign-in stay shut, and without a named origin nothing is answered at all.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.register(fastifyCors, {
    hideOptionsRoute: true,
    strictPreflight: false,
    delegator: (request, callback) =>
      callback(null, {
        origin: request.url?.startsWith("/api/v1/") ? [...origins] : false,
        credentials: false,
        methods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
        allowedHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID", "Range"],
        exposedHeaders: [
          ...["X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "Idempotent-Replayed"],
          ...["ETag", "Content-Range", "Accept-Ranges", "Content-Disposition", "WWW-Authenticate", "Allow"],
        ],
        maxAge: PREFLIGHT_LASTS_SECONDS,
      }),
  });
}

// Below a network packet or so, compressing gains nothing.
const BYTES_MIN = 1024;
const COMPRESSIBLE = /^(?:application\/json|application\/x-subrip|text\/(?!event-stream))/;
// Quality 4 takes about as long as gzip and is smaller; the default of 11 is for files that are compressed once.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const ENCODERS: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
};

/**
 * Compresses text replies for clients that ask for it, off the main thread. Event streams, exports and recordings are
 * written by hand and never come through here.
 */
export function compressReplies(app: FastifyInstance, cookieName: string): void {
  app.addHook<unknown>("onSend", async (request, reply, payload) => {
    const type = String(reply.getHeader("content-type") ?? "");
    if (typeof payload !== "string" || !COMPRESSIBLE.test(type) || reply.hasHeader("content-encoding")) return payload;
    reply.header("vary", [reply.getHeader("vary"), "accept-encoding"].filter(Boolean).join(", "));
    if (payload.length < BYTES_MIN || mayLeakBySize(request, cookieName)) return payload;
    const encoding = negotiate(String(request.headers["accept-encoding"] ?? ""), Object.keys(ENCODERS));
    const encode = encoding === null ? undefined : ENCODERS[encoding];
    if (encoding === null || encode === undefined) return payload;
    const bytes = await encode(payload);
    reply.header("content-encoding", encoding).header("content-length", bytes.length);
    return bytes;
  });
}

/**
 * Where another site can make a browser send a request with the member's cookie and words of its choice, the size of a
 * compressed reply gives away what else is in it (BREACH). A browser says by `Sec-Fetch-Site` that our own page asks.
 */
function mayLeakBySize(request: FastifyRequest, cookieName: string): boolean {
  return request.cookies?.[cookieName] !== undefined && request.headers["sec-fetch-site"] !== "same-origin";
}
