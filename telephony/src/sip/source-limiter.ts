import type { Clock } from "@parley/time/clock";

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export interface LimiterOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** How many sources are remembered; beyond them the one that was heard least recently is forgotten. */
  readonly sourcesMax: number;
}

/** Lets each source through so often and no more. Its memory is bounded whatever sources are forged. */
export function createSourceLimiter(clock: Clock, options: LimiterOptions): (source: string) => boolean {
  const buckets = new Map<string, Bucket>();
  return (source) => {
    const nowMs = clock.now();
    const known = buckets.get(source);
    buckets.delete(source);
    const bucket = known ?? { tokens: options.burst, filledAtMs: nowMs };
    const earned = ((nowMs - bucket.filledAtMs) / 1_000) * options.perSecond;
    bucket.tokens = Math.min(options.burst, bucket.tokens + Math.max(0, earned));
    bucket.filledAtMs = nowMs;
    buckets.set(source, bucket);
    if (buckets.size > options.sourcesMax) {
      const [oldest] = buckets.keys();
      if (oldest !== undefined) buckets.delete(oldest);
    }
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}
