import { describe, expect, test } from "vitest";
import { createLocalLimiter, createRateLimiter, rateHeaders } from "./rate-limit.ts";

/** The database side, in memory: windows of a second, a tenth of what is left per lease. */
function fakeStore(limit: number) {
  let granted = 0;
  let leases = 0;
  return {
    get leases() {
      return leases;
    },
    nextWindow: () => {
      granted = 0;
    },
    lease: async () => {
      leases += 1;
      const before = granted;
      granted = Math.min(limit, granted + Math.max(1, Math.floor((limit - granted) / 10)));
      return { tokens: granted - before, granted, remainingMs: 1000 };
    },
  };
}

describe("the rate limit", () => {
  test("admits exactly the limit per window, across three processes that share it", async () => {
    const store = fakeStore(100);
    const nowMs = 0;
    const limiters = Array.from({ length: 3 }, () =>
      createRateLimiter({ policy: "api", limit: 100, nowMs: () => nowMs, lease: store.lease }),
    );
    const decisions = await Promise.all(Array.from({ length: 300 }, (_, i) => limiters[i % 3]?.("acc:test")));
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(100);
  });

  test("refuses a flood without asking the database again", async () => {
    const store = fakeStore(10);
    const limiter = createRateLimiter({ policy: "api", limit: 10, nowMs: () => 0, lease: store.lease });
    for (let i = 0; i < 10; i += 1) await limiter("a");
    const before = store.leases;
    for (let i = 0; i < 1000; i += 1) expect((await limiter("a")).allowed).toBe(false);
    expect(store.leases).toBe(before);
  });

  test("opens again with the next window, and does not carry unused requests over", async () => {
    const store = fakeStore(10);
    let nowMs = 0;
    const limiter = createRateLimiter({ policy: "api", limit: 10, nowMs: () => nowMs, lease: store.lease });
    await limiter("a");
    nowMs = 1000;
    store.nextWindow();
    const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter("a")));
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(10);
  });

  test("reports the rule and the remaining quota", async () => {
    const limiter = createLocalLimiter("address", 100, () => 0);
    const decision = await limiter("127.0.0.1");
    expect(rateHeaders(decision)).toEqual({
      "ratelimit-policy": '"address";q=100;w=1',
      ratelimit: '"address";r=99;t=1',
    });
  });

  test("keeps a bounded number of addresses in mind", async () => {
    let nowMs = 0;
    const limiter = createLocalLimiter("address", 1, () => nowMs);
    for (let i = 0; i < 60_000; i += 1) {
      nowMs = i;
      await limiter(`address-${i}`);
    }
    expect((await limiter("address-59999")).allowed).toBe(false);
  });
});
