import { createHash } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { OpenApiOptions } from "@parley/contract/openapi";
import type { FastifyInstance } from "fastify";

export const OPENAPI_PATH = "/api/v1/openapi.json";
const BUNDLE_PATH = "/docs/scalar.js";
const START_PATH = "/docs/start.js";

// Scalar writes style elements and attributes as it renders; scripts, requests and images are ours alone.
const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

// The colors of the dashboard and of the other pages.
const CUSTOM_CSS = `
.light-mode { --scalar-color-1: #15191a; --scalar-color-2: #545d5e; --scalar-color-accent: #0b655e; --scalar-background-1: #ffffff; --scalar-background-2: #f6f7f7; --scalar-background-3: #eef0f0; --scalar-background-accent: #dff1ee; --scalar-border-color: #e1e4e4; }
.dark-mode { --scalar-color-1: #e9eded; --scalar-color-2: #a3afaf; --scalar-color-accent: #5fd4c5; --scalar-background-1: #0f1313; --scalar-background-2: #171c1c; --scalar-background-3: #1f2626; --scalar-background-accent: #12332f; --scalar-border-color: #2a3333; }
`;

// No fonts, telemetry, chat, proxy or hosted client: the page talks only to the service that sent it.
const CONFIGURATION = {
  url: OPENAPI_PATH,
  theme: "default",
  customCss: CUSTOM_CSS,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  authentication: { preferredSecurityScheme: "apiKey" },
  documentDownloadType: "direct",
  orderSchemaPropertiesBy: "preserve",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
};

const START_SCRIPT = `Scalar.createApiReference("#app", ${JSON.stringify(CONFIGURATION)});\n`;

const REFERENCE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference - Parley</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<style>.back { display: inline-flex; gap: 0.6rem; align-items: center; padding: 0.6rem 1.25rem; color: #15191a; font: 600 0.9375rem system-ui, sans-serif; text-decoration: none; } .dark-mode .back { color: #e9eded; }</style>
</head>
<body>
<a class="back" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="28" height="28">Parley docs</a>
<div id="app"></div>
<noscript>This page needs JavaScript. The same as JSON: <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a></noscript>
<script src="${BUNDLE_PATH}"></script>
<script src="${START_PATH}"></script>
</body>
</html>
`;

/** Serves the API reference, wholly from this service. */
export function addReferencePage(app: FastifyInstance): void {
  let bundle: Promise<DocsBundle> | null = null;

  app.get("/docs/api", async (_request, reply) =>
    reply
      .headers({ "content-security-policy": REFERENCE_POLICY, "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
      .send(REFERENCE_HTML),
  );
  app.get(START_PATH, async (_request, reply) =>
    reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8").send(START_SCRIPT),
  );
  app.get(BUNDLE_PATH, async (request, reply) => {
    bundle ??= loadDocsBundle().catch((error: unknown) => {
      bundle = null; // The next reader tries again.
      throw error;
    });
    const { gzipped, etag } = await bundle;
    reply.headers({ etag, "cache-control": "no-cache" });
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.header("content-encoding", "gzip").type("text/javascript; charset=utf-8").send(Buffer.from(gzipped));
  });
}

interface DocsBundle {
  readonly gzipped: Uint8Array;
  readonly etag: string;
}

/**
 * Fetches the browser bundle of the reference page. The package that holds it is several megabytes of text; reading it
 * in a thread that ends costs the service neither the memory nor a pause.
 */
async function loadDocsBundle(): Promise<DocsBundle> {
  const thread = new Worker(new URL("./docs-bundle-thread.ts", import.meta.url));
  // `once` also rejects when the thread reports an error.
  const [bundle] = (await once(thread, "message")) as [DocsBundle];
  await thread.terminate();
  return bundle;
}

interface Rendered {
  readonly text: string;
  readonly etag: string;
}

/** Serves the OpenAPI document without the envelope, for tools that read it. */
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

// The generator is loaded by the first reader, so that other processes do not pay for it.
async function render(options: OpenApiOptions): Promise<Rendered> {
  const { buildOpenApi } = await import("@parley/contract/openapi");
  const text = JSON.stringify(buildOpenApi(options));
  // Weak: the document is also sent compressed.
  return { text, etag: `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
