import { gunzipSync } from "node:zlib";
import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { addDocsSite } from "../docs-site/routes.ts";
import { addOpenApiRoute, addReferencePage, OPENAPI_PATH } from "./docs-page.ts";
import { addSecurityHeaders } from "./security-headers.ts";

const BUNDLE_TIMEOUT_MS = 30_000;
const app = Fastify();
addSecurityHeaders(app, { https: false });
addOpenApiRoute(app, { version: "1.2.3" });
addReferencePage(app);
addDocsSite(app, { readStatus: () => Promise.reject(new Error("not asked")) });
afterAll(() => app.close());

test("the OpenAPI document is served without an envelope, so that tools can read it", async () => {
  const reply = await app.inject(OPENAPI_PATH);
  expect(reply.statusCode).toBe(200);
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(reply.json()).toMatchObject({ openapi: "3.1.1", info: { version: "1.2.3" } });
});

test("a client that has the current document is not sent it again", async () => {
  const first = await app.inject(OPENAPI_PATH);
  const etag = String(first.headers["etag"]);
  const again = await app.inject({ url: OPENAPI_PATH, headers: { "if-none-match": etag } });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe("");
});

test("the reference page may load scripts and talk only to the service that sent it", async () => {
  const { headers, body } = await app.inject("/docs/api");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/https?:|\*/);
  expect(body).not.toMatch(/https?:\/\//);
});

test(
  "every resource of the reference page exists",
  async () => {
    const { body } = await app.inject("/docs/api");
    const paths = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(paths).toHaveLength(6);
    for (const path of paths) expect((await app.inject(path)).statusCode, path).toBe(200);
  },
  BUNDLE_TIMEOUT_MS,
);

test("the page is configured without outside fonts, telemetry, chat or proxy", async () => {
  const { body } = await app.inject("/docs/start.js");
  const configuration = JSON.parse(/^Scalar\.createApiReference\("#app", (.*)\);$/m.exec(body)?.[1] ?? "null");
  expect(configuration).toMatchObject({
    url: OPENAPI_PATH,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
  });
  expect(configuration).not.toHaveProperty("proxyUrl");
});

test(
  "the bundle is Scalar's own, compressed once",
  async () => {
    const { headers, rawPayload } = await app.inject("/docs/scalar.js");
    expect(headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(rawPayload).toString()).toContain("createApiReference");
    const again = await app.inject({ url: "/docs/scalar.js", headers: { "if-none-match": String(headers["etag"]) } });
    expect(again.statusCode).toBe(304);
  },
  BUNDLE_TIMEOUT_MS,
);
