import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
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

/**
 * Scripts, styles, fonts, audio and requests come from this service alone. Of what is inline, only what the build put
 * into the page counts, by its hash.
 */
function policyOf(page: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashesOf(page, "script")].join(" "),
    ["style-src 'self'", ...hashesOf(page, "style")].join(" "),
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

function hashesOf(page: string, tag: "script" | "style"): string[] {
  const inline = [...page.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(([, text = ""]) => text);
  return inline.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}

/** The paths of other handlers. Unknown ones are refused in the envelope, even for a browser. */
const NOT_OURS = /^\/(?:api|auth|docs|healthz|llms\.txt|readyz|metrics)(?:\/|$)/;
/** Where the build puts pages that show their first paint without a script, by who sees them. */
const FIRST_PAINT = "/first-paint";
const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * Serves the built dashboard. A browser that opens any other path is given the app, which knows its own pages; a program
 * that requests an unknown path gets an error.
 */
export function createDashboardPages(state: () => DashboardState, cookieName: () => string): Pages {
  const pageFor = (request: FastifyRequest, assets: ReadonlyMap<string, Asset>): Asset | undefined => {
    const name = pathOf(request) === "/" ? "/index.html" : `${pathOf(request)}.html`;
    // Whether the session still lasts turns out later; a page of members shows none of their data.
    const isMember = request.cookies[cookieName()] !== undefined;
    const prepared = assets.get(`${FIRST_PAINT}/anyone${name}`);
    return (
      prepared ?? (isMember ? assets.get(`${FIRST_PAINT}/members${name}`) : undefined) ?? assets.get("/index.html")
    );
  };
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
      const asset = now.kind === "ready" ? (assetFor(request) ?? pageFor(request, now.assets)) : undefined;
      return asset ? sendAsset(request, reply, asset) : sendPlain(reply, FAILED_PAGE);
    },
  };
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  reply.headers({
    etag: asset.etag,
    vary: asset.policy === null ? "accept-encoding" : "accept-encoding, cookie",
    "cache-control": asset.isImmutable ? FOR_EVER : "no-cache",
    ...(asset.policy === null ? {} : { "content-security-policy": asset.policy }),
  });
  if (request.headers["if-none-match"] === asset.etag) return reply.code(304).send();
  const encoding = negotiate(String(request.headers["accept-encoding"] ?? ""), [...asset.encoded.keys()]);
  const encoded = encoding === null ? undefined : asset.encoded.get(encoding);
  if (encoding !== null && encoded) reply.header("content-encoding", encoding);
  return reply.type(asset.type).send(encoded ?? asset.bytes);
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
  /** By content encoding, the smallest first. Empty where compressing gains nothing. */
  readonly encoded: ReadonlyMap<string, Buffer>;
  readonly etag: string;
  /** The content security policy of a page; null for other files. */
  readonly policy: string | null;
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
/** What the build left beside a file: Brotli at a quality that takes too long for every start. */
const BROTLI_SUFFIX = ".br";

/** Reads a built dashboard into memory: it is small, and no request can then reach another file. */
export async function loadAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const assets = new Map<string, Asset>();
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const compressed = new Set(files.filter((file) => file.endsWith(BROTLI_SUFFIX)));
  for (const file of files.filter((file) => !compressed.has(file))) {
    const path = `/${relative(folder, file).replaceAll("\\", "/")}`;
    const brotli = compressed.has(file + BROTLI_SUFFIX) ? await readFile(file + BROTLI_SUFFIX) : null;
    assets.set(path, await loadAsset(path, await readFile(file), brotli));
  }
  return assets;
}

async function loadAsset(path: string, bytes: Buffer, brotli: Buffer | null): Promise<Asset> {
  const extension = extname(path);
  const encoded = new Map<string, Buffer>();
  if (brotli) encoded.set("br", brotli);
  if (!COMPRESSED_ALREADY.has(extension)) encoded.set("gzip", await compress(bytes, { level: 9 }));
  return {
    type: TYPES[extension] ?? "application/octet-stream",
    bytes,
    encoded,
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    policy: extension === ".html" ? policyOf(bytes.toString()) : null,
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
