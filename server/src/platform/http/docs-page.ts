import type { FastifyInstance, FastifyReply } from "fastify";
import { type DocsBundle, loadDocsBundle } from "./docs-bundle.ts";
import { renderErrorsPage } from "./errors-page.ts";
import { OPENAPI_PATH } from "./openapi-route.ts";

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

// No fonts, telemetry, chat, proxy or hosted client: the page talks to nobody but the service that sent it.
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
