import type { KnownKey } from "../../platform/http/authenticate.ts";

interface Remembered {
  readonly known: KnownKey | null;
  readonly askedAtMs: number;
}

/** What this process remembers of keys: for a second at most, and never more than so many. */
export interface KeyCache {
  /** The key, null when it was unknown, undefined when nothing fresh is remembered. */
  get(digest: string): KnownKey | null | undefined;
  /** `askedAtMs` is when the question was sent, because the answer may be as old as that. */
  put(digest: string, known: KnownKey | null, askedAtMs: number): void;
  dropKey(keyId: string): void;
  clear(): void;
  readonly size: number;
}

export const KEY_REMEMBERED_MS = 1000;
const KNOWN_MAX = 20_000;
const UNKNOWN_MAX = 5000;

/** Unknown keys are kept apart, so that a flood of made-up ones cannot push out the real ones. */
export function createKeyCache(nowMs: () => number): KeyCache {
  const known = new Map<string, Remembered>();
  const unknown = new Map<string, Remembered>();

  return {
    get(digest) {
      const entry = known.get(digest) ?? unknown.get(digest);
      if (!entry) return undefined;
      const ageMs = nowMs() - entry.askedAtMs;
      // A clock that was set back must not make an entry last longer.
      if (ageMs >= 0 && ageMs < KEY_REMEMBERED_MS) return entry.known;
      known.delete(digest);
      unknown.delete(digest);
      return undefined;
    },
    put(digest, found, askedAtMs) {
      const [map, max] = found ? [known, KNOWN_MAX] : [unknown, UNKNOWN_MAX];
      map.delete(digest);
      map.set(digest, { known: found, askedAtMs });
      if (map.size <= max) return;
      const oldest = map.keys().next().value;
      if (oldest !== undefined) map.delete(oldest);
    },
    dropKey(keyId) {
      for (const [digest, entry] of known) {
        if (entry.known?.actor.keyId === keyId) known.delete(digest);
      }
    },
    clear() {
      known.clear();
      unknown.clear();
    },
    get size() {
      return known.size + unknown.size;
    },
  };
}
