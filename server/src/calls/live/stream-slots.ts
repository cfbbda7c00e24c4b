import { AppError } from "@parley/contract/errors";

/** Holds how many long replies an account may have open at this process, since each keeps a connection. */
export interface StreamSlots {
  /** Takes a place and returns the function that gives it back, or throws 429. */
  take(accountId: string): () => void;
}

export function createStreamSlots(perAccountMax: number): StreamSlots {
  const open = new Map<string, number>();
  return {
    take(accountId) {
      const taken = open.get(accountId) ?? 0;
      if (taken >= perAccountMax) {
        throw new AppError(
          "rate_limited",
          `The account has ${perAccountMax} streams and exports open here; close some.`,
          {
            retryAfterSeconds: 5,
          },
        );
      }
      open.set(accountId, taken + 1);
      let isGivenBack = false;
      return () => {
        if (isGivenBack) return;
        isGivenBack = true;
        const left = (open.get(accountId) ?? 1) - 1;
        if (left > 0) open.set(accountId, left);
        else open.delete(accountId);
      };
    },
  };
}
