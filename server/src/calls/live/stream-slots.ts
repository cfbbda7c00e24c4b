import { AppError } from "@parley/contract/errors";

/** Limits how many streaming replies an account may have open in this process, since each holds a connection. */
export interface StreamSlots {
  /** Takes a slot and returns the function that frees it, or throws 429. */
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
