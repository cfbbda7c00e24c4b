import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readSite, renderLlmsText, type Site } from "./read-site.ts";
import { renderLayout } from "./render-layout.ts";
import { renderStatusHtml, renderStatusMarkdown, type ServiceStatus } from "./service-status.ts";

// Scripts, styles, images and requests come from this service alone; nothing inline runs.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const require = createRequire(import.meta.url);
const ROOT = new URL("../../../../", import.meta.url);
const SCREENSHOT = /^[\w-]+\.webp$/;
const IMAGE = /^[a-z0-9-]+\.png$/;

interface Asset {
  readonly type: string;
  readonly file: URL | string;
}

const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ["docs.css", { type: "text/css", file: new URL("./assets/docs.css", import.meta.url) }],
  ["docs.js", { type: "text/javascript", file: new URL("./assets/docs.js", import.meta.url) }],
  ["theme.js", { type: "text/javascript", file: new URL("./assets/theme.js", import.meta.url) }],
  ["icon.svg", { type: "image/svg+xml", file: new URL("dashboard/public/icon.svg", ROOT) }],
  // The package names its file for Node; browsers get the one beside it.
  [
    "minisearch.js",
    { type: "text/javascript", file: require.resolve("minisearch").replace(/cjs\/index\.cjs$/, "es/index.js") },
  ],
]);

interface DocsSiteDeps {
  /** The current state of the installation. Never rejects. */
  readStatus(): Promise<ServiceStatus>;
}

/** Serves the documentation of this installation: pages, search, the same as Markdown, and the status of the service. */
export function addDocsSite(app: FastifyInstance, { readStatus }: DocsSiteDeps): void {
  let reading: Promise<Site> | null = null;
  const site = () => {
    reading ??= readSite().catch((error: unknown) => {
      reading = null; // The next reader tries again.
      throw error;
    });
    return reading;
  };

  const sendPage = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const { pages, navigation } = await site();
    const isMarkdown = path.endsWith(".md");
    const page = pages.get(isMarkdown ? path.slice(0, -".md".length) : path);
    if (page === undefined) return notFound(reply);
    if (isMarkdown) return sendText(request, reply, "text/markdown", page.markdown);
    return sendText(request, reply, "text/html", renderLayout({ ...page, navigation }));
  };

  for (const path of ["/docs", "/docs/changelog", "/docs/errors"].flatMap((url) => [url, `${url}.md`])) {
    app.get(path, (request, reply) => sendPage(request, reply, path));
  }
  for (const section of ["guides", "operations", "recipes", "reference"]) {
    app.get<{ Params: { page: string } }>(`/docs/${section}/:page`, (request, reply) =>
      sendPage(request, reply, `/docs/${section}/${request.params.page}`),
    );
  }
  app.get("/docs/status", async (request, reply) => {
    const { navigation } = await site();
    const page = { title: "Status", url: "/docs/status", html: renderStatusHtml(await readStatus()), navigation };
    return sendText(request, reply, "text/html", renderLayout(page));
  });
  app.get("/docs/status.md", async (request, reply) =>
    sendText(request, reply, "text/markdown", renderStatusMarkdown(await readStatus())),
  );
  app.get("/docs/status.json", async (request, reply) =>
    sendText(request, reply, "application/json", JSON.stringify(await readStatus(), null, 2)),
  );
  app.get("/docs/navigation.json", async (request, reply) =>
    sendText(request, reply, "application/json", JSON.stringify((await site()).navigation)),
  );
  app.get("/docs/search.json", async (request, reply) =>
    sendText(request, reply, "application/json", JSON.stringify((await site()).search)),
  );
  for (const path of ["/llms.txt", "/docs/llms.txt"]) {
    app.get(path, async (request, reply) => sendText(request, reply, "text/plain", renderLlmsText(await site())));
  }
  app.get<{ Params: { name: string } }>("/docs/assets/:name", async (request, reply) => {
    const asset = ASSETS.get(request.params.name);
    if (asset === undefined) return notFound(reply);
    return sendText(request, reply, asset.type, await readFile(asset.file, "utf8"));
  });
  app.get<{ Params: { name: string } }>("/docs/screenshots/:name", async (request, reply) => {
    const { name } = request.params;
    const bytes = SCREENSHOT.test(name) ? await readIfThere(new URL(`docs/screenshots/${name}`, ROOT)) : null;
    if (bytes === null) return notFound(reply);
    return reply.header("cache-control", "max-age=3600").type("image/webp").send(bytes);
  });
  app.get<{ Params: { name: string } }>("/docs/images/:name", async (request, reply) => {
    const { name } = request.params;
    const bytes = IMAGE.test(name) ? await readIfThere(new URL(`docs/operations/images/${name}`, ROOT)) : null;
    if (bytes === null) return notFound(reply);
    return reply.header("cache-control", "max-age=3600").type("image/png").send(bytes);
  });
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

/** Weak, because it is also sent compressed. */
function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  const etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  reply.headers({ etag, "cache-control": "no-cache", "content-security-policy": POLICY });
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  return reply.type(`${type}; charset=utf-8`).send(text);
}

async function readIfThere(file: URL): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
