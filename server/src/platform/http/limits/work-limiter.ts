import { AppError } from "@parley/contract/errors";

export interface WorkLimits {
  readonly atOnceMax: number;
  readonly perMinuteMax: number;
  /** What a refused request is answered. */
  readonly message: string;
}

const MINUTE_MS = 60_000;

/** Limits work that is expensive to serve, per bucket and in this process: how much runs at once, and how much is begun in a minute. */
export class WorkLimiter {
  readonly #nowMs: () => number;
  readonly #limits: WorkLimits;
  readonly #buckets = new Map<string, { underWay: number; begunMs: number[] }>();

  constructor(nowMs: () => number, limits: WorkLimits) {
    this.#nowMs = nowMs;
    this.#limits = limits;
  }

  /** Returns the function to call when the work is done, or throws 429. */
  begin(name: string): () => void {
    const nowMs = this.#nowMs();
    const bucket = this.#buckets.get(name) ?? { underWay: 0, begunMs: [] };
    const recent = bucket.begunMs.filter((begunMs) => begunMs > nowMs - MINUTE_MS);
    const [oldest = nowMs] = recent;
    if (recent.length >= this.#limits.perMinuteMax) throw this.#refusal(Math.ceil((oldest + MINUTE_MS - nowMs) / 1000));
    if (bucket.underWay >= this.#limits.atOnceMax) throw this.#refusal(2);
    this.#forgetOthers(nowMs);
    this.#buckets.set(name, { underWay: bucket.underWay + 1, begunMs: [...recent, nowMs] });
    let hasEnded = false;
    return () => {
      const current = this.#buckets.get(name);
      if (hasEnded || current === undefined) return;
      hasEnded = true;
      current.underWay -= 1;
    };
  }

  #forgetOthers(nowMs: number): void {
    for (const [name, { underWay, begunMs }] of this.#buckets) {
      if (underWay === 0 && (begunMs.at(-1) ?? 0) <= nowMs - MINUTE_MS) this.#buckets.delete(name);
    }
  }

  #refusal(retryAfterSeconds: number): AppError {
    return new AppError("rate_limited", this.#limits.message, { retryAfterSeconds: Math.max(1, retryAfterSeconds) });
  }
}
