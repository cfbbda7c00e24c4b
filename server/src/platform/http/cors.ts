import fastifyCors from "@fastify/cors";
import type { FastifyInstance } from "fastify";

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
