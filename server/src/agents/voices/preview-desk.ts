import { AppError } from "@parley/contract/errors";

/** How much an account may have spoken for it: rendering a natural voice takes longer than hearing it. */
const AT_ONCE_MAX = 2;
const PER_MINUTE_MAX = 30;
const MINUTE_MS = 60_000;

/** Lets previews through within the limits of an account, at this process. */
export class PreviewDesk {
  readonly #nowMs: () => number;
  readonly #accounts = new Map<string, { underWay: number; begunMs: number[] }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Takes a place and returns the function that gives it back, or throws 429. */
  take(accountId: string): () => void {
    const nowMs = this.#nowMs();
    const account = this.#accounts.get(accountId) ?? { underWay: 0, begunMs: [] };
    const recent = account.begunMs.filter((begunMs) => begunMs > nowMs - MINUTE_MS);
    const [oldest = nowMs] = recent;
    if (recent.length >= PER_MINUTE_MAX) throw tooMany(Math.ceil((oldest + MINUTE_MS - nowMs) / 1000));
    if (account.underWay >= AT_ONCE_MAX) throw tooMany(2);
    this.#forgetOthers(nowMs);
    this.#accounts.set(accountId, { underWay: account.underWay + 1, begunMs: [...recent, nowMs] });
    let isGivenBack = false;
    return () => {
      const current = this.#accounts.get(accountId);
      if (isGivenBack || current === undefined) return;
      isGivenBack = true;
      current.underWay -= 1;
    };
  }

  #forgetOthers(nowMs: number): void {
    for (const [id, { underWay, begunMs }] of this.#accounts) {
      if (underWay === 0 && (begunMs.at(-1) ?? 0) <= nowMs - MINUTE_MS) this.#accounts.delete(id);
    }
  }
}

function tooMany(retryAfterSeconds: number): AppError {
  return new AppError("rate_limited", "Voices are being heard too often; wait a moment.", {
    retryAfterSeconds: Math.max(1, retryAfterSeconds),
  });
}
