import { describe, expect, test } from "vitest";
import { ApiError, ConnectionError, NotFoundError, RateLimitError, TimeoutError, ValidationError } from "./errors.ts";
import { lostConnection, ok, openFakeService, refusal } from "./testing/fake-service.ts";

const NEW_CALL = { phoneNumber: "+15550100001", agentId: "agt_1" };
const keyOf = (request: { headers: Headers } | undefined) => request?.headers.get("idempotency-key");

test("headers of one request replace those of the client whatever their case", async () => {
  const headers = { "X-Trace": "client", Authorization: "Bearer other" };
  const { parley, sent } = openFakeService([ok({}), ok({})], { headers });
  await parley.calls.get("call_1");
  await parley.calls.create(NEW_CALL, { headers: { "x-trace": "request", "Idempotency-Key": "order-17" } });
  expect(sent.map((request) => request.headers.get("x-trace"))).toEqual(["client", "request"]);
  expect(sent.map((request) => request.headers.get("authorization"))).toEqual(["Bearer other", "Bearer other"]);
  expect(keyOf(sent[1])).toBe("order-17");
});

describe("repeating requests", () => {
  test("a call whose reply is lost is placed again under the same idempotency key", async () => {
    const { parley, sent } = openFakeService([lostConnection(), lostConnection(), ok({ id: "call_1" })]);
    expect(await parley.calls.create(NEW_CALL)).toEqual({ id: "call_1" });
    expect(sent.map(keyOf)).toEqual(Array(3).fill(expect.stringMatching(/^sdk-[0-9a-f]{32}$/)));
    expect(new Set(sent.map(keyOf)).size).toBe(1);
  });

  test("two calls have two keys, and a given key is used as it is", async () => {
    const { parley, sent } = openFakeService([ok({}), ok({}), ok({})]);
    await parley.calls.create(NEW_CALL);
    await parley.calls.create(NEW_CALL);
    await parley.calls.create(NEW_CALL, { idempotencyKey: "order-17" });
    expect(keyOf(sent[0])).not.toBe(keyOf(sent[1]));
    expect(keyOf(sent[2])).toBe("order-17");
  });

  test("a reply that is cut off in the middle counts as lost", async () => {
    const cut = new Response('{"success":true,"data":{"id":"ca', { headers: { "content-type": "application/json" } });
    const { parley, sent } = openFakeService([cut, ok({ id: "call_1" })]);
    expect(await parley.calls.create(NEW_CALL)).toEqual({ id: "call_1" });
    expect(sent).toHaveLength(2);
  });

  test("waits as long as Retry-After says, and otherwise twice as long each time", async () => {
    const { parley, sleptMs } = openFakeService([
      refusal(429, "rate_limited", true, { "retry-after": "7" }),
      refusal(503, "unavailable", true),
      refusal(503, "unavailable", true),
      ok({ id: "call_1" }),
    ]);
    await parley.calls.get("call_1");
    expect(sleptMs).toEqual([7000, 600, 1200]);
  });

  test("a Retry-After beyond the deadline is reported immediately", async () => {
    const busy = refusal(429, "queue_full", true, { "retry-after": "3600" });
    const { parley, sleptMs } = openFakeService([busy]);
    const failure = await parley.calls.create(NEW_CALL).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RateLimitError);
    expect(failure).toMatchObject({ code: "queue_full", retryAfterSeconds: 3600, requestId: "req_1" });
    expect(sleptMs).toEqual([]);
  });

  test("what the service refuses for good is not repeated", async () => {
    const { parley, sent } = openFakeService([refusal(422, "validation_failed", false)]);
    await expect(parley.calls.create(NEW_CALL)).rejects.toBeInstanceOf(ValidationError);
    expect(sent).toHaveLength(1);
  });

  test("a change without an idempotency key is not repeated when its reply is lost, or a proxy answers", async () => {
    const proxyError = new Response("<h1>Bad Gateway</h1>", { status: 502 });
    const { parley, sent } = openFakeService([lostConnection(), proxyError]);
    const endpoint = { url: "https://app.example/in" };
    await expect(parley.webhooks.create(endpoint)).rejects.toBeInstanceOf(ConnectionError);
    await expect(parley.webhooks.create(endpoint)).rejects.toMatchObject({ status: 502, code: null });
    expect(sent).toHaveLength(2);
  });

  test("but it is repeated when the service says that nothing was done", async () => {
    const { parley, sent } = openFakeService([refusal(503, "unavailable", true), ok({ id: "whk_1" })]);
    await parley.webhooks.create({ url: "https://app.example/in" });
    expect(sent).toHaveLength(2);
  });

  test("a deletion whose reply is lost, and which is not found then, is done", async () => {
    const { parley } = openFakeService([
      lostConnection(),
      refusal(404, "not_found", false),
      refusal(404, "not_found", false),
    ]);
    expect(await parley.webhooks.delete("whk_1")).toEqual({});
    await expect(parley.webhooks.delete("whk_1")).rejects.toBeInstanceOf(NotFoundError);
  });

  test("gives up after the given number of retries, with the last error", async () => {
    const { parley, sent } = openFakeService(Array.from({ length: 3 }, lostConnection), { maxRetries: 2 });
    await expect(parley.calls.get("call_1")).rejects.toThrow("socket hang up");
    expect(sent).toHaveLength(3);
  });
});

describe("aborting", () => {
  const never = () => new Promise<Response>(() => undefined);
  /** A request that ends only by its signal, as one to a server that does not answer. */
  const silentFetch = ((_: unknown, init: RequestInit) =>
    new Promise((_resolve, reject) => {
      init.signal?.throwIfAborted();
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true });
    })) as typeof fetch;

  test("an aborted request throws the reason and is not repeated", async () => {
    const abort = new AbortController();
    const { parley } = openFakeService([never], { fetch: silentFetch });
    const getting = parley.calls.get("call_1", { signal: abort.signal });
    abort.abort(new Error("the user left"));
    await expect(getting).rejects.toThrow("the user left");
  });

  test("a request without a reply fails after its timeout", async () => {
    const { parley } = openFakeService([never], { fetch: silentFetch, maxRetries: 1 });
    await expect(parley.calls.get("call_1", { timeoutMs: 1 })).rejects.toBeInstanceOf(TimeoutError);
  });
});

describe("requests", () => {
  test("carry the key, the query without what is undefined, and escaped ids", async () => {
    const { parley, sent } = openFakeService([ok([], { nextCursor: null }), ok({})]);
    await parley.calls.list({ status: "completed", limit: 5, q: undefined });
    await parley.calls.get("../agents");
    expect(sent[0]).toMatchObject({ method: "GET", path: "/api/v1/calls?status=completed&limit=5" });
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer svc_test_x");
    expect(sent[1]?.path).toBe("/api/v1/calls/..%2Fagents");
  });

  test("a change of a draft names the revision that it is based on", async () => {
    const { parley, sent } = openFakeService([ok({})]);
    await parley.agents.change("agt_1", { name: "New" }, { revision: 3 });
    expect(sent[0]).toMatchObject({ method: "PATCH", body: { name: "New" } });
    expect(sent[0]?.headers.get("if-match")).toBe("3");
  });

  test("the key may come from a function, asked for each attempt", async () => {
    const tokens = ["token-1", "token-2"];
    const apiKey = async () => tokens.shift() ?? "";
    const { parley, sent } = openFakeService([refusal(503, "unavailable", true), ok({})], { apiKey });
    await parley.calls.get("call_1");
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  test("a reply that is not from Parley says so", async () => {
    const { parley } = openFakeService([new Response("<html>", { headers: { "content-type": "text/html" } })]);
    const failure = await parley.calls.get("call_1").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ message: expect.stringContaining("baseUrl") });
  });
});

describe("lists", () => {
  const pages = () => [ok([1, 2], { nextCursor: "a" }), ok([3], { nextCursor: "b" }), ok([], { nextCursor: null })];

  test("iterating goes through all pages with the same filter", async () => {
    const { parley, sent } = openFakeService(pages());
    const items: unknown[] = [];
    for await (const item of parley.calls.list({ status: "failed" })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(sent.map(({ path }) => path)).toEqual([
      "/api/v1/calls?status=failed",
      "/api/v1/calls?status=failed&cursor=a",
      "/api/v1/calls?status=failed&cursor=b",
    ]);
  });

  test("awaiting gives one page, and the next on request", async () => {
    const { parley, sent } = openFakeService(pages());
    const first = await parley.calls.list();
    expect(first.data).toEqual([1, 2]);
    expect(sent).toHaveLength(1);
    const last = await (await first.next())?.next();
    expect(await last?.next()).toBeNull();
  });
});
