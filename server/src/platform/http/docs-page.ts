import { createHash } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ERROR_CODES, ERRORS } from "@parley/contract/errors";
import type { OpenApiOptions } from "@parley/contract/openapi";
import type { FastifyInstance, FastifyReply } from "fastify";

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

// No fonts, telemetry, chat, proxy or hosted client: the page talks only to the service that sent it.
const CONFIGURATION = {
  url: OPENAPI_PATH,
  theme: "default",
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
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. The same as JSON: <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a></noscript>
<script src="${BUNDLE_PATH}"></script>
<script src="${START_PATH}"></script>
</body>
</html>
`;

/** Serves the API reference and the page of error codes, wholly from this service. */
export function addDocsPages(app: FastifyInstance): void {
  let bundle: Promise<DocsBundle> | null = null;
  let errorsPage: ReturnType<typeof renderErrorsPage> | null = null;

  app.get("/docs", async (_request, reply) => sendPage(reply, REFERENCE_HTML, REFERENCE_POLICY));
  app.get("/docs/errors", async (_request, reply) => {
    errorsPage ??= renderErrorsPage();
    return sendPage(reply, errorsPage.html, errorsPage.contentSecurityPolicy);
  });
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

function sendPage(reply: FastifyReply, html: string, policy: string): FastifyReply {
  return reply
    .headers({ "content-security-policy": policy, "cache-control": "no-cache" })
    .type("text/html; charset=utf-8")
    .send(html);
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

interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin-bottom: .25rem; }
h2 { font-size: 1.05rem; margin: 0; scroll-margin-top: 1rem; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
section { border-top: 1px solid var(--line); padding: .9rem 0; }
section:target { box-shadow: -4px 0 0 0 #2f6fed; padding-left: .8rem; margin-left: -.8rem; }
p { margin: .3rem 0 0; }
code { font: .92em ui-monospace, monospace; }
.facts { opacity: .7; font-size: .9rem; }
`;

/** One page that explains every error code; the \`docUrl\` of a refusal leads to its place there. */
function renderErrorsPage(): Page {
  const sections = ERROR_CODES.map((code) => {
    const { status, retryable, meaning } = ERRORS[code];
    const advice = retryable ? "May be tried again" : "Trying again does not help";
    return `<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<p>${withCode(meaning)}</p>
<p class="facts">HTTP ${status}. ${advice}.</p>
</section>`;
  });
  const styleHash = createHash("sha256").update(STYLE).digest("base64");
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes - Parley</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Error codes</h1>
<p>Every refusal has the same shape, and its <code>code</code> is one of these. See the <a href="/docs">API reference</a>.</p>
${sections.join("\n")}
</body>
</html>
`,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
  };
}

function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
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
