import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { getMe, inviteMember } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { createLog } from "../telemetry/log.ts";
import { type ApiServerOptions, createApiServer } from "./api-server.ts";
import type { MemberActor } from "./authenticate.ts";
import { handle } from "./handler.ts";
import { createLocalLimiter } from "./limits/rate-limit.ts";

const owner: MemberActor = {
  kind: "member",
  memberId: "mem_1",
  accountId: "acc_1",
  role: "owner",
  isOperator: false,
  lacksSecondFactor: false,
  email: "ada@example.com",
  signInId: "sgn_1",
};
const limiter = createLocalLimiter("address", 1000, () => 0);
const options: ApiServerOptions = {
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
};
const app = createApiServer(options);
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

test("a request that arrives while the server closes is refused in the envelope, and the one in progress is completed", async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const slow = handle(getMe, async () => {
    begin();
    await finished;
    return { data: {} as never };
  });
  const leaving = createApiServer({ ...options, routes: [slow] });
  await leaving.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((leaving.server.address() as AddressInfo).port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const request = "GET /auth/me HTTP/1.1\r\nHost: parley.test\r\nCookie: parley=good\r\n\r\n";
  socket.write(request);
  await begun;
  const closed = leaving.close();
  const arrived = once(leaving.server, "request");
  socket.write(request);
  await arrived;
  finish();
  await Promise.all([closed, once(socket, "close")]);
  const [, completed = "", refused = ""] = Buffer.concat(chunks).toString().split("HTTP/1.1 ");
  expect(completed).toMatch(/^200 /);
  expect(refused).toMatch(/^503 /);
  expect(refused).toMatch(/\r\nx-request-id: req_/);
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/);
  expect(refused).toMatch(/\r\nratelimit/i);
  expect(refused).toContain('"code":"unavailable"');
});

test.each([
  [
    "body",
    "Cookie: parley=good\r\nOrigin: http://parley.test\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
  ],
  ["head", "Accept: "],
])("a client that never finishes its %s gets a timeout error", async (_part, rest) => {
  const impatient = createApiServer({ ...options, requestTimeoutMs: 50 });
  await impatient.listen({ host: "127.0.0.1", port: 0 });
  try {
    const socket = connect((impatient.server.address() as AddressInfo).port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
    socket.write(`POST /api/v1/members HTTP/1.1\r\nHost: parley.test\r\n${rest}`);
    await once(socket, "close");
    const [head = "", body = ""] = Buffer.concat(chunks).toString().split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(body).error).toMatchObject({ code: "request_timeout", retryable: true });
  } finally {
    await impatient.close();
  }
});
