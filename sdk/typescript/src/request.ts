/** What every method accepts as its last argument. */
export interface RequestOptions {
  /** Aborts the request, its retries and the reading of the response. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take. Default: that of the client, 30 seconds. */
  timeoutMs?: number | undefined;
  /** How long all attempts together may take, with the waiting between them. Default: that of the client, 60 seconds. */
  deadlineMs?: number | undefined;
  /** How often a failed request is repeated. Default: that of the client, 6. */
  maxRetries?: number | undefined;
  /**
   * Requests with the same key are carried out once. By default every method call has a new key, which covers its
   * retries; pass your own, such as the id of an order, to cover restarts of your program too.
   */
  idempotencyKey?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** For changes of a draft: fails with `draft_conflict` if someone else changed it meanwhile. */
export interface RevisionOptions extends RequestOptions {
  /** The `revision` that you read. */
  revision: number;
}

/** One request, before it is sent. */
export interface RequestPlan {
  readonly body?: unknown;
  readonly query?: object;
  /** The service carries the request out once per Idempotency-Key. */
  readonly once?: boolean;
  /** Changes nothing, although it is a POST. */
  readonly repeatable?: boolean;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: (RequestOptions & { readonly revision?: number | undefined }) | undefined;
}

/** The time and the randomness that retries depend on; tests pass their own. */
export interface Timing {
  nowMs(): number;
  /** Rejects with the reason of the signal when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

export const realTiming: Timing = {
  nowMs: () => performance.now(),
  random: Math.random,
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  },
};

const BACKOFF_FIRST_MS = 300;
const BACKOFF_MAX_MS = 10_000;

/** How long to wait before a retry: doubled each time, of which a random half is left out so that clients spread. */
export function backoffMs(retry: number, timing: Timing): number {
  const fullMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** retry);
  return fullMs * (0.5 + timing.random() / 2);
}
