import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pages } from "../http/pages.ts";

/**
 * The state of the dashboard: disabled; being built; not built, with the reason in the log; or it
 * is ready to be served.
 */
export type DashboardState =
  | { readonly kind: "off" }
  | { readonly kind: "building" }
  | { readonly kind: "failed" }
  | { readonly kind: "ready"; readonly assets: ReadonlyMap<string, Asset> };

// Scripts, styles, fonts, audio and requests come from this service alone; nothing inline runs.
const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** The paths of other handlers. Unknown ones are refused in the envelope, even for a browser. */
const NOT_OURS = /^\/(?:api|auth|docs|healthz|llms\.txt|readyz|metrics)(?:\/|$)/;
const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * Serves the built dashboard. A browser that opens any other path is given the app, which knows its own pages; a program
 * that requests an unknown path gets an error.
 */
export function createDashboardPages(state: () => DashboardState): Pages {
  const assetFor = (request: FastifyRequest): Asset | undefined => {
    const now = state();
    return now.kind === "ready" ? now.assets.get(pathOf(request)) : undefined;
  };
  return {
    has(request) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      if (NOT_OURS.test(pathOf(request))) return false;
      if (pathOf(request) === "/") return true;
      return assetFor(request) !== undefined || (state().kind !== "off" && wantsPage(request));
    },
    send(request, reply) {
      const now = state();
      if (now.kind === "off") return reply.redirect("/docs", 302);
      if (now.kind === "building") return sendPlain(reply, BUILDING_PAGE);
      const asset = now.kind === "ready" ? (assetFor(request) ?? now.assets.get("/index.html")) : undefined;
      return asset ? sendAsset(request, reply, asset) : sendPlain(reply, FAILED_PAGE);
    },
  };
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const isPage = asset.type.startsWith("text/html");
  reply.headers({
    etag: asset.etag,
    vary: "accept-encoding",
    "cache-control": asset.isImmutable ? FOR_EVER : "no-cache",
    ...(isPage ? { "content-security-policy": APP_POLICY } : {}),
  });
  if (request.headers["if-none-match"] === asset.etag) return reply.code(304).send();
  const gzipped = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? "")) ? asset.gzipped : null;
  if (gzipped) reply.header("content-encoding", "gzip");
  return reply.type(asset.type).send(gzipped ?? asset.bytes);
}

function sendPlain(reply: FastifyReply, page: PlainPage): FastifyReply {
  return reply
    .code(page.status)
    .headers({ "content-security-policy": page.policy, "cache-control": "no-store", "retry-after": "2" })
    .type("text/html; charset=utf-8")
    .send(page.html);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?")[0] ?? "/";
}

function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? "").includes("text/html");
}

const compress = promisify(gzip);

/** A file of the built dashboard, ready to be sent. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Null where compressing gains nothing. */
  readonly gzipped: Buffer | null;
  readonly etag: string;
  /** Whether its name contains a content hash, so that it may be cached indefinitely. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const COMPRESSED_ALREADY = new Set([".woff2"]);

/** Reads a built dashboard into memory: it is small, and no request can then reach another file. */
export async function loadAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const assets = new Map<string, Asset>();
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).replaceAll("\\", "/")}`;
    assets.set(path, await loadAsset(path, await readFile(file)));
  }
  return assets;
}

async function loadAsset(path: string, bytes: Buffer): Promise<Asset> {
  const extension = extname(path);
  return {
    type: TYPES[extension] ?? "application/octet-stream",
    bytes,
    gzipped: COMPRESSED_ALREADY.has(extension) ? null : await compress(bytes, { level: 9 }),
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isImmutable: path.startsWith("/assets/"),
  };
}

/** A page that needs nothing but itself. */
interface PlainPage {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 16vh auto; padding: 0 1rem; color: #1a1f2b; background: #fff }
a { color: #1f4fd8 }
@media (prefers-color-scheme: dark) { body { color: #e8ebf2; background: #12151c } a { color: #9db8ff } }`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'`;

function plainPage(title: string, text: string, head: string): PlainPage {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${title} · Parley</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  return { status: 503, html, policy: POLICY };
}

/** Reloads itself, so that a browser that opens the service right after its start needs no action. */
const BUILDING_PAGE = plainPage(
  "One moment",
  "The dashboard is being built, which takes a few seconds. This page opens it by itself.",
  '<meta http-equiv="refresh" content="1">',
);

const FAILED_PAGE = plainPage(
  "There is no dashboard",
  'It could not be built; the log of the service says why. The API works: <a href="/docs">read the documentation</a>.',
  "",
);
