import { getMe, inviteMember } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { createLog } from "../telemetry/log.ts";
import type { MemberActor } from "./actor.ts";
import { createApiServer } from "./api-server.ts";
import { handle } from "./handler.ts";
import { createLocalLimiter } from "./rate-limit.ts";

const owner: MemberActor = {
  kind: "member",
  memberId: "mem_1",
  accountId: "acc_1",
  role: "owner",
  isOperator: false,
  email: "ada@example.com",
  signInId: "sgn_1",
};
const limiter = createLocalLimiter("address", 1000, () => 0);
const app = createApiServer({
  // No route here touches it.
  db: {} as Database,
  log: createLog("silent"),
  identities: { findKey: async () => null, findSignIn: async (token) => (token === "good" ? owner : null) },
  routes: [
    handle(inviteMember, async ({ body }) => ({ data: body as never })),
    handle(getMe, async () => ({ data: {} as never })),
  ],
  cookieName: "parley",
  ownOrigins: () => ["http://parley.test"],
  trustProxy: [],
  accountLimiter: limiter,
  addressLimiter: limiter,
  nowMs: () => 0,
  onReply: () => undefined,
});
beforeAll(() => app.ready());
afterAll(() => app.close());

const invite = (headers: Record<string, string>) =>
  app.inject({
    method: "POST",
    url: "/api/v1/members",
    headers: { cookie: "parley=good", ...headers },
    payload: { email: "b@example.com" },
  });

test("a cookie request from nowhere is refused, also when it carries an Authorization header beside the cookie", async () => {
  expect((await invite({})).json().error.code).toBe("cross_site");
  expect((await invite({ authorization: "x" })).json().error.code).toBe("cross_site");
  expect((await invite({ authorization: "Bearer x", origin: "http://evil.test" })).json().error.code).toBe(
    "cross_site",
  );
  expect((await invite({ origin: "http://parley.test" })).statusCode).toBe(200);
});

test("reading by cookie needs no origin", async () => {
  expect((await app.inject({ url: "/auth/me", headers: { cookie: "parley=good" } })).statusCode).toBe(200);
});
