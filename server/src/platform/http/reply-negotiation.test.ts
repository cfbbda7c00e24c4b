import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { listEngines } from "@parley/contract/routes/account";
import { getMe, inviteMember } from "@parley/contract/routes/members";
import { SCOPES } from "@parley/contract/scopes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { createLog } from "../telemetry/log.ts";
import { createApiServer } from "./api-server.ts";
import type { KeyActor, MemberActor } from "./authenticate.ts";
import { handle } from "./handler.ts";
import { createLocalLimiter } from "./limits/rate-limit.ts";

const owner = {
  kind: "member",
  memberId: "mem_1",
  accountId: "acc_1",
  role: "owner",
  isOperator: false,
} as MemberActor;
const key = {
  kind: "key",
  keyId: "key_1",
  accountId: "acc_1",
  mode: "test",
  scopes: new Set(SCOPES),
} as unknown as KeyActor;
const limiter = createLocalLimiter("address", 1000, () => 0);
const LONG = { engines: "abc ".repeat(2000) };
const app = createApiServer({
  // No route here touches it.
  db: {} as Database,
  log: createLog("silent"),
  identities: {
    findKey: async (text) => (text === "svc_good" ? { actor: key, allowedIps: [], expiresAtMs: null } : null),
    findSignIn: async () => owner,
  },
  routes: [
    handle(listEngines, async () => ({ data: LONG as never })),
    handle(getMe, async () => ({ data: {} as never })),
    handle(inviteMember, async ({ body }) => ({ data: body as never })),
  ],
  cookieName: "parley",
  ownOrigins: () => ["http://parley.test"],
  trustProxy: [],
  corsOrigins: ["https://app.example", "http://localhost:5173"],
  accountLimiter: limiter,
  addressLimiter: limiter,
  nowMs: () => 0,
  onReply: () => undefined,
});
beforeAll(() => app.ready());
afterAll(() => app.close());

const byKey = { authorization: "Bearer svc_good" };
const get = (headers: Record<string, string>) => app.inject({ url: "/api/v1/engines", headers });

describe("compression", () => {
  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ])("a long reply is sent as %s to a client that accepts it", async (encoding, decode) => {
    const { headers, rawPayload } = await get({ ...byKey, "accept-encoding": encoding });
    expect(headers["content-encoding"]).toBe(encoding);
    expect(String(headers["vary"])).toContain("accept-encoding");
    expect(Number(headers["content-length"])).toBe(rawPayload.length);
    expect(rawPayload.length).toBeLessThan(1000);
    expect(JSON.parse(decode(rawPayload).toString()).data).toEqual(LONG);
  });

  test.each(["", "identity", "gzip;q=0, br;q=0", "zstd"])("and uncompressed to one that sends %j", async (accepted) => {
    const reply = await get({ ...byKey, "accept-encoding": accepted });
    expect(reply.headers["content-encoding"]).toBeUndefined();
    expect(reply.json().data).toEqual(LONG);
    expect(String(reply.headers["vary"])).toContain("accept-encoding");
  });

  test("a short reply is not compressed, nor one that another site could have a member's browser ask for", async () => {
    const encodingOf = async (url: string, headers: Record<string, string>) =>
      (await app.inject({ url, headers: { ...headers, "accept-encoding": "gzip" } })).headers["content-encoding"];
    expect(await encodingOf("/auth/me", { cookie: "parley=x" })).toBeUndefined();
    expect(await encodingOf("/api/v1/engines", { cookie: "parley=x" })).toBeUndefined();
    expect(await encodingOf("/api/v1/engines", { cookie: "parley=x", "sec-fetch-site": "cross-site" })).toBeUndefined();
    expect(await encodingOf("/api/v1/engines", { cookie: "parley=x", "sec-fetch-site": "same-origin" })).toBe("gzip");
  });
});

test.each(["gzip", "br", "deflate", "identity", "x"])(
  "a request body with Content-Encoding %s is refused",
  async (encoding) => {
    const reply = await app.inject({
      method: "POST",
      url: "/api/v1/members",
      headers: {
        cookie: "parley=x",
        origin: "http://parley.test",
        "content-type": "application/json",
        "content-encoding": encoding,
      },
      payload: Buffer.from([0x1f, 0x8b]),
    });
    expect([reply.statusCode, reply.json().error.code]).toEqual([415, "unsupported_media_type"]);
    expect(reply.headers["accept-encoding"]).toBe("identity");
  },
);

describe("pages of other origins", () => {
  const preflight = (origin: string, url = "/api/v1/engines") =>
    app.inject({
      method: "OPTIONS",
      url,
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,idempotency-key",
      },
    });

  test.each(["https://app.example", "http://localhost:5173"])(
    "%s may use the API by key, never with a cookie",
    async (origin) => {
      const asked = await preflight(origin);
      expect(asked.statusCode).toBe(204);
      expect(asked.headers["access-control-allow-origin"]).toBe(origin);
      expect(asked.headers["access-control-allow-methods"]).toContain("DELETE");
      expect(String(asked.headers["access-control-allow-headers"]).toLowerCase()).toContain("idempotency-key");
      const reply = await get({ ...byKey, origin });
      expect(reply.statusCode).toBe(200);
      expect(reply.headers["access-control-allow-origin"]).toBe(origin);
      expect(String(reply.headers["vary"]).toLowerCase()).toContain("origin");
      const exposed = String(reply.headers["access-control-expose-headers"]).toLowerCase();
      for (const name of ["x-request-id", "ratelimit", "retry-after", "idempotent-replayed"])
        expect(exposed).toContain(name);
      for (const { headers } of [asked, reply]) expect(headers["access-control-allow-credentials"]).toBeUndefined();
      const refused = await get({ origin });
      expect([refused.statusCode, refused.headers["access-control-allow-origin"]]).toEqual([401, origin]);
    },
  );

  test.each(["https://evil.example", "null", "https://app.example.evil.test", "http://app.example"])(
    "%s may not, and no other origin may sign in or read pages",
    async (origin) => {
      const asked = await preflight(origin);
      // Without this header a browser sends nothing.
      expect(asked.headers["access-control-allow-origin"]).toBeUndefined();
      expect((await get({ ...byKey, origin })).headers["access-control-allow-origin"]).toBeUndefined();
      const me = await preflight("https://app.example", "/auth/me");
      expect([me.statusCode, me.headers["access-control-allow-origin"]]).toEqual([405, undefined]);
    },
  );
});

test("a key is refused where only members are admitted, from any origin and whether valid or not", async () => {
  for (const authorization of ["Bearer svc_good", "Bearer svc_dead", "Basic x"]) {
    for (const origin of [{}, { origin: "https://app.example" }]) {
      const reply = await app.inject({
        method: "POST",
        url: "/api/v1/members",
        headers: { authorization, ...origin },
        payload: { email: "a@b.example" },
      });
      expect([reply.statusCode, reply.json().error.code]).toEqual([403, "not_allowed"]);
      expect(reply.json().error.message).toContain("API keys cannot do this");
    }
  }
});
