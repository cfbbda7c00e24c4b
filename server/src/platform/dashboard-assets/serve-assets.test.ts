import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { getMe } from "@parley/contract/routes/members";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { createApiServer } from "../http/api-server.ts";
import { handle } from "../http/handler.ts";
import { createLocalLimiter } from "../http/limits/rate-limit.ts";
import { createLog } from "../telemetry/log.ts";
import { createDashboardPages, type DashboardState, loadAssets } from "./serve-assets.ts";

const PAGE = "<!doctype html><title>Parley</title>";
const SIGN_IN_PAGE = "<!doctype html><style>p { margin: 0 }</style><p>Sign in</p><script>show()</script>";
const CALLS_PAGE = "<!doctype html><p>Calls</p>";
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const limiter = createLocalLimiter("address", 10_000, () => 0);
let folder: string;
let ready: DashboardState;
let state: DashboardState;
const app = createApiServer({
  // No route here touches it.
  db: {} as Database,
  log: createLog("silent"),
  identities: { findKey: async () => null, findSignIn: async () => null },
  routes: [handle(getMe, async () => ({ data: {} as never }))],
  cookieName: "parley",
  ownOrigins: () => [],
  trustProxy: [],
  accountLimiter: limiter,
  addressLimiter: limiter,
  pages: createDashboardPages(
    () => state,
    () => "parley",
  ),
  nowMs: () => 0,
  onReply: () => undefined,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-assets-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), PAGE);
  await mkdir(join(folder, "first-paint/anyone"), { recursive: true });
  await mkdir(join(folder, "first-paint/members"), { recursive: true });
  await writeFile(join(folder, "first-paint/anyone/sign-in.html"), SIGN_IN_PAGE);
  await writeFile(join(folder, "first-paint/members/calls.html"), CALLS_PAGE);
  await writeFile(join(folder, "icon.svg"), "<svg/>");
  await writeFile(join(folder, "assets/index-abc.js"), "console.log(1)".repeat(50));
  await writeFile(join(folder, "assets/frame-abc.js"), "console.log(2)".repeat(50));
  await writeFile(join(folder, "assets/frame-abc.js.br"), brotliCompressSync("console.log(2)".repeat(50)));
  await writeFile(join(folder, "assets/inter-abc.woff2"), "font");
  ready = { kind: "ready", assets: await loadAssets(folder) };
  await app.ready();
});
beforeEach(() => {
  state = ready;
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const open = (url: string, headers: Record<string, string> = BROWSER) => app.inject({ url, headers });

describe("a dashboard that is ready", () => {
  test.each(["/", "/calls", "/calls/call_1?x=1", "/settings/developer"])(
    "a browser that opens %s gets the app",
    async (url) => {
      const reply = await open(url);
      expect([reply.statusCode, reply.body]).toEqual([200, PAGE]);
      expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(reply.headers["cache-control"]).toBe("no-cache");
    },
  );

  test("the page may load from this service alone, and nothing inline", async () => {
    const policy = String((await open("/")).headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test("inline code runs only as the build wrote it", async () => {
    const reply = await open("/sign-in");
    expect(reply.body).toBe(SIGN_IN_PAGE);
    const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const policy = String(reply.headers["content-security-policy"]);
    expect(policy).toContain(`script-src 'self' ${hash("show()")};`);
    expect(policy).toContain(`style-src 'self' ${hash("p { margin: 0 }")};`);
    expect(policy).not.toContain("unsafe");
  });

  test("who has a session sees the frame of a page at once, others do not", async () => {
    const member = await open("/calls", { ...BROWSER, cookie: "parley=anything" });
    expect([member.body, member.headers["vary"]]).toEqual([CALLS_PAGE, "accept-encoding, cookie"]);
    expect((await open("/calls")).body).toBe(PAGE);
    expect((await open("/sign-in", { ...BROWSER, cookie: "parley=anything" })).body).toBe(SIGN_IN_PAGE);
  });

  test("content-hashed files are cached indefinitely, and compressed for clients that accept it", async () => {
    const reply = await open("/assets/index-abc.js", { "accept-encoding": "gzip, br" });
    expect(reply.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(reply.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(gunzipSync(reply.rawPayload).toString()).toContain("console.log(1)");
    const plain = await open("/assets/index-abc.js", {});
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body).toContain("console.log(1)");
  });

  test("what the build compressed goes out as Brotli to browsers, and not under a name of its own", async () => {
    const inBrowser = await open("/assets/frame-abc.js", { "accept-encoding": "gzip, deflate, br, zstd" });
    expect(inBrowser.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(inBrowser.rawPayload).toString()).toContain("console.log(2)");
    for (const encodings of ["gzip", "gzip, br;q=0"]) {
      const older = await open("/assets/frame-abc.js", { "accept-encoding": encodings });
      expect(older.headers["content-encoding"]).toBe("gzip");
      expect(gunzipSync(older.rawPayload).toString()).toContain("console.log(2)");
    }
    expect((await open("/assets/frame-abc.js.br", { accept: "*/*" })).statusCode).toBe(404);
  });

  test("fonts go out as they are", async () => {
    const { headers, body } = await open("/assets/inter-abc.woff2", { "accept-encoding": "gzip" });
    expect([headers["content-type"], headers["content-encoding"], body]).toEqual(["font/woff2", undefined, "font"]);
  });

  test("a client that has the current page is not sent it again", async () => {
    const etag = String((await open("/")).headers["etag"]);
    const again = await open("/", { ...BROWSER, "if-none-match": etag });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  test.each(["/api/v1/nothing", "/api", "/auth/nothing", "/docs/nothing"])(
    "a browser also gets the error for %s in the envelope",
    async (url) => {
      const reply = await open(url);
      expect(reply.statusCode).toBe(404);
      expect(reply.json().error.code).toBe("not_found");
    },
  );

  test("a program that requests an unknown path gets an error, not a page", async () => {
    for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
      const reply = await open("/v1/calls", headers);
      expect([reply.statusCode, reply.json().error.code]).toEqual([404, "not_found"]);
    }
  });

  test("an asset of an older build is missing, not the app under another name", async () => {
    const reply = await open("/assets/index-old.js", { accept: "*/*" });
    expect(reply.statusCode).toBe(404);
  });

  test("a path that climbs finds nothing", async () => {
    const reply = await open("/assets/../../package.json", { accept: "*/*" });
    expect(reply.statusCode).toBe(404);
  });

  test("the app's paths are read-only", async () => {
    const reply = await app.inject({ method: "POST", url: "/calls", headers: BROWSER });
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, "not_found"]);
  });
});

test("while it is being built a browser is asked to wait and retries automatically", async () => {
  state = { kind: "building" };
  const reply = await open("/calls");
  expect(reply.statusCode).toBe(503);
  expect(reply.body).toContain('http-equiv="refresh"');
  expect(reply.headers["cache-control"]).toBe("no-store");
});

test("when the build failed a browser is told so, the reason stays in the log, and the API works", async () => {
  state = { kind: "failed" };
  const reply = await open("/");
  expect(reply.statusCode).toBe(503);
  expect(reply.body).toContain("the log of the service says why");
  expect((await open("/auth/me")).json().error.code).toBe("not_signed_in");
});

test("where it is disabled, the root leads to the reference and other paths are not found", async () => {
  state = { kind: "off" };
  const root = await open("/");
  expect([root.statusCode, root.headers["location"]]).toEqual([302, "/docs"]);
  expect((await open("/calls")).json().error.code).toBe("not_found");
});
