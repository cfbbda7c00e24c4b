import { afterEach, expect, test } from "vitest";
import { NotReady } from "../../telemetry/readiness.ts";
import { type HealthServer, openHealthServer } from "./health-server.ts";

let server: HealthServer;
afterEach(() => server.close());

async function open(options: { reason?: Error; token?: string } = {}): Promise<string> {
  server = await openHealthServer(
    {
      checkReady: async () => {
        if (options.reason) throw options.reason;
      },
      notice: () => null,
      metrics: { contentType: "text/plain", text: async () => "parley_up 1\n" },
      operatorToken: options.token ?? null,
    },
    "127.0.0.1",
    0,
  );
  return `http://127.0.0.1:${server.port}`;
}

const ask = async (url: string, init?: RequestInit) => {
  const reply = await fetch(url, init);
  return [reply.status, await reply.text()];
};

test("a process says that it is alive and ready, and shows its metrics", async () => {
  const url = await open();
  expect(await ask(`${url}/healthz`)).toEqual([200, '{"status":"alive"}']);
  expect(await ask(`${url}/readyz`)).toEqual([200, '{"status":"ready"}']);
  expect(await ask(`${url}/metrics`)).toEqual([200, "parley_up 1\n"]);
  expect(await ask(`${url}/readyz`, { method: "HEAD" })).toEqual([200, ""]);
  expect((await ask(`${url}/api/v1/calls`))[0]).toBe(404);
  expect((await ask(`${url}/readyz`, { method: "POST" }))[0]).toBe(405);
});

test("one that is not ready says why, without details of a failure", async () => {
  const url = await open({ reason: new NotReady("calls cannot be claimed") });
  expect(await ask(`${url}/readyz`)).toEqual([503, '{"status":"not_ready","reason":"calls cannot be claimed"}']);
  expect((await ask(`${url}/healthz`))[0]).toBe(200);
  await server.close();
  const away = await open({ reason: new Error("connect ECONNREFUSED 10.0.0.7:5432") });
  expect(await ask(`${away}/readyz`)).toEqual([
    503,
    '{"status":"not_ready","reason":"the database cannot be reached"}',
  ]);
});

test("metrics need the operator token where there is one", async () => {
  const url = await open({ token: "a-token-of-an-operator" });
  expect((await ask(`${url}/metrics`))[0]).toBe(401);
  const headers = { authorization: "Bearer a-token-of-an-operator" };
  expect((await ask(`${url}/metrics`, { headers }))[0]).toBe(200);
});
