import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pages } from "../http/pages.ts";
import type { Asset } from "./load-assets.ts";
import { BUILDING_PAGE, FAILED_PAGE, type PlainPage } from "./plain-pages.ts";

/**
 * Where the dashboard stands: nobody wants one; it is being built; it could not be built, and the log says why; or it
 * is ready to be served.
 */
export type DashboardState =
  | { readonly kind: "off" }
  | { readonly kind: "building" }
  | { readonly kind: "failed" }
  | { readonly kind: "ready"; readonly assets: ReadonlyMap<string, Asset> };

// Scripts, styles, fonts, sound and requests come from this service alone; nothing inline runs.
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

/** The paths of others. What they do not know is refused in the envelope, also to a browser. */
const NOT_OURS = /^\/(?:api|auth|docs|healthz|readyz|metrics)(?:\/|$)/;
const FOR_EVER = "public, max-age=31536000, immutable";

/**
 * Serves the built dashboard. A browser that opens any other path is given the app, which knows its own pages; a program
 * that asks for a path nobody has is told so.
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
