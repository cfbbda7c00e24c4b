import { createHash } from "node:crypto";
import type { OpenApiOptions } from "@parley/contract/openapi";
import type { FastifyInstance } from "fastify";

export const OPENAPI_PATH = "/api/v1/openapi.json";

interface Rendered {
  readonly text: string;
  readonly etag: string;
}

/** Serves the OpenAPI document as it is, outside the envelope, for tools that read it. */
export function addOpenApiRoute(app: FastifyInstance, options: OpenApiOptions): void {
  let rendered: Promise<Rendered> | null = null;
  app.get(OPENAPI_PATH, async (request, reply) => {
    rendered ??= render(options);
    const { text, etag } = await rendered;
    reply.headers({ etag, "cache-control": "no-cache" });
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(text);
  });
}

// The generator is loaded by the first reader, so that a process nobody asks does not pay for it.
async function render(options: OpenApiOptions): Promise<Rendered> {
  const { buildOpenApi } = await import("@parley/contract/openapi");
  const text = JSON.stringify(buildOpenApi(options));
  // Weak: the document is also sent compressed.
  return { text, etag: `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
