import type { RateLease } from "./rate-limit-store.ts";

/** What a reply says about the limit, and whether this request is within it. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  readonly policy: string;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Bucket {
  tokens: number;
  granted: number;
  windowEndsMs: number;
  leasing: Promise<void> | null;
}

export interface RateLimiterOptions {
  readonly policy: string;
  readonly limit: number;
  readonly nowMs: () => number;
  lease(bucket: string, limit: number): Promise<RateLease>;
}

export type RateLimiter = (bucket: string) => Promise<RateLimitDecision>;

const BUCKETS_MAX = 50_000;

/**
 * Holds a limit per second over all processes. Each process leases requests of the current window from the
 * database and hands them out itself; once the window is used up it refuses without asking again.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const buckets = new Map<string, Bucket>();

  async function take(name: string): Promise<RateLimitDecision> {
    let bucket = buckets.get(name);
    if (!bucket) {
      if (buckets.size >= BUCKETS_MAX) forgetOld(buckets, options.nowMs());
      bucket = { tokens: 0, granted: 0, windowEndsMs: 0, leasing: null };
      buckets.set(name, bucket);
    }
    for (;;) {
      if (options.nowMs() < bucket.windowEndsMs) {
        if (bucket.tokens > 0) {
          bucket.tokens -= 1;
          return decision(bucket, true);
        }
        if (bucket.granted >= options.limit) return decision(bucket, false);
      }
      bucket.leasing ??= renew(name, bucket).finally(() => {
        if (bucket) bucket.leasing = null;
      });
      await bucket.leasing;
    }
  }

  async function renew(name: string, bucket: Bucket): Promise<void> {
    const lease = await options.lease(name, options.limit);
    // Tokens of an older window must not be carried into a new one.
    bucket.tokens = lease.tokens;
    bucket.granted = lease.granted;
    bucket.windowEndsMs = options.nowMs() + lease.remainingMs;
  }

  function decision(bucket: Bucket, allowed: boolean): RateLimitDecision {
    return {
      allowed,
      policy: options.policy,
      limit: options.limit,
      remaining: allowed ? Math.max(0, options.limit - bucket.granted + bucket.tokens) : 0,
      resetSeconds: Math.max(1, Math.ceil((bucket.windowEndsMs - options.nowMs()) / 1000)),
    };
  }

  return take;
}

/** For requests that name no account: a limit per address, in this process alone, that costs no database. */
export function createLocalLimiter(policy: string, limit: number, nowMs: () => number): RateLimiter {
  return createRateLimiter({
    policy,
    limit,
    nowMs,
    lease: async () => ({ tokens: limit, granted: limit, remainingMs: 1000 }),
  });
}

function forgetOld(buckets: Map<string, Bucket>, nowMs: number): void {
  for (const [name, bucket] of buckets) {
    if (bucket.windowEndsMs <= nowMs && !bucket.leasing) buckets.delete(name);
  }
}

/** The two headers of the IETF draft: the rule, and the remaining quota. */
export function rateHeaders(decision: RateLimitDecision): Record<string, string> {
  return {
    "ratelimit-policy": `"${decision.policy}";q=${decision.limit};w=1`,
    ratelimit: `"${decision.policy}";r=${decision.remaining};t=${decision.resetSeconds}`,
  };
}
