import { within } from "./within.ts";

/** Lets a test wait for a condition without polling: it is checked when something happened. */
export interface Conditions {
  /** Something happened that a test may be waiting for. */
  happened(): void;
  /** Resolves when the condition holds, and rejects with its description when that takes unreasonably long. */
  until(isSo: () => boolean, what: () => string): Promise<void>;
}

const PATIENCE_MS = 45_000;

export function createConditions(): Conditions {
  const waiting = new Set<() => void>();
  return {
    happened() {
      for (const look of [...waiting]) look();
    },
    until(isSo, what) {
      const seen = Promise.withResolvers<void>();
      const look = () => {
        if (isSo()) seen.resolve();
      };
      waiting.add(look);
      look();
      return within(seen.promise, what, PATIENCE_MS).finally(() => waiting.delete(look));
    },
  };
}
