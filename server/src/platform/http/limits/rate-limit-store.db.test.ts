import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { leaseRateWindow } from "./rate-limit-store.ts";

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());

test("three processes that share a database never grant more than the limit in one of its seconds", async () => {
  const limiters = Array.from({ length: 3 }, () =>
    createRateLimiter({
      policy: "api",
      limit: 50,
      nowMs: () => performance.now(),
      lease: (bucket, limit) => leaseRateWindow(t.db, bucket, limit),
    }),
  );
  const startMs = performance.now();
  let allowed = 0;
  let windows = 0;
  while (performance.now() - startMs < 2200) {
    const decisions = await Promise.all(limiters.map((limiter) => limiter("acc:test")));
    allowed += decisions.filter((decision) => decision.allowed).length;
  }
  windows = Math.ceil((performance.now() - startMs) / 1000) + 1;
  expect(allowed).toBeGreaterThanOrEqual(100);
  expect(allowed).toBeLessThanOrEqual(windows * 50);
});

test("a lease takes a tenth of what is left and at least one, until nothing is left", async () => {
  const tokens: number[] = [];
  let total = 0;
  let tries = 0;
  for (let last = -1; last !== 0 && tries < 200; tries += 1) {
    const lease = await leaseRateWindow(t.db, "bucket", 20);
    if (lease.granted < total) return; // A new second began in between; the next test run sees the whole window.
    last = lease.tokens;
    total = lease.granted;
    tokens.push(last);
  }
  expect(tokens.slice(0, 3)).toEqual([2, 1, 1]);
  expect(total).toBe(20);
});
