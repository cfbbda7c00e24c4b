import { timingSafeEqual } from "node:crypto";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Listener } from "../../platform/database/listen.ts";
import type { KnownKey } from "../../platform/http/authenticate.ts";
import { findApiKeyByDigest, touchApiKeys } from "./api-key-store.ts";
import { looksLikeApiKey } from "./key-format.ts";

/** The channel on which the database announces a changed or revoked key; the payload is the key's id. */
export const API_KEYS_CHANNEL = "parley_api_keys";

export interface KeyLookupOptions {
  readonly db: Database;
  readonly listener: Pick<Listener, "isListening" | "on" | "onReconnect">;
  readonly secrets: Pick<Secrets, "digest">;
  readonly nowMs: () => number;
  /** Called if last-used times could not be stored; they are retried. */
  onError(error: unknown): void;
}

export interface KeyLookup {
  findKey(key: string): Promise<KnownKey | null>;
  /** Begins to write times of last use in the background. */
  start(): void;
  stop(): Promise<void>;
  flushUsage(): Promise<void>;
}

/**
 * Looks up keys. Answers are remembered for a second while the database can tell of changes, and not at all while it
 * cannot, so a revoked key is dead everywhere within that second.
 */
export function createKeyLookup({ db, listener, secrets, nowMs, onError }: KeyLookupOptions): KeyLookup {
  const cache = createKeyCache(nowMs);
  const asking = new Map<string, Promise<KnownKey | null>>();
  const usage = createKeyUsage({ save: (uses) => touchApiKeys(db, uses), nowMs, onError });
  // Counts notifications. A result that was read before a notification may be outdated and is not cached.
  let notificationCount = 0;

  const stopListening = [
    listener.on(API_KEYS_CHANNEL, (keyId) => {
      notificationCount += 1;
      asking.clear();
      cache.dropKey(keyId);
    }),
    listener.onReconnect(() => {
      notificationCount += 1;
      asking.clear();
      cache.clear();
    }),
  ];

  async function ask(digest: Buffer, name: string): Promise<KnownKey | null> {
    const askedAtMs = nowMs();
    const countBefore = notificationCount;
    const wasListening = listener.isListening;
    const known = await readKey(db, digest);
    if (wasListening && listener.isListening && countBefore === notificationCount) cache.put(name, known, askedAtMs);
    return known;
  }

  function askOnce(digest: Buffer, name: string): Promise<KnownKey | null> {
    if (!listener.isListening) return ask(digest, name);
    const underWay = asking.get(name);
    if (underWay) return underWay;
    const answer = ask(digest, name).finally(() => {
      if (asking.get(name) === answer) asking.delete(name);
    });
    asking.set(name, answer);
    return answer;
  }

  return {
    async findKey(key) {
      if (!looksLikeApiKey(key)) return null;
      const digest = secrets.digest(key);
      const name = digest.toString("base64");
      const remembered = listener.isListening ? cache.get(name) : undefined;
      const known = remembered === undefined ? await askOnce(digest, name) : remembered;
      if (known && (known.expiresAtMs === null || known.expiresAtMs > nowMs())) usage.record(known.actor.keyId);
      return known;
    },
    start: () => usage.start(),
    flushUsage: () => usage.flush(),
    async stop() {
      for (const stop of stopListening) stop();
      await usage.stop();
    },
  };
}

async function readKey(db: Database, digest: Buffer): Promise<KnownKey | null> {
  const row = await findApiKeyByDigest(db, digest);
  if (!row || !timingSafeEqual(row.digest, digest) || row.revoked_at) return null;
  return {
    actor: {
      kind: "key",
      keyId: row.id,
      accountId: row.account_id,
      mode: row.mode,
      scopes: new Set(row.scopes),
      dailySpendCapMicros: row.daily_spend_cap_micros,
    },
    allowedIps: row.allowed_ips,
    expiresAtMs: row.expires_at?.getTime() ?? null,
  };
}

interface Remembered {
  readonly known: KnownKey | null;
  readonly askedAtMs: number;
}

/** The key cache of this process: for a second at most, and bounded in size. */
export interface KeyCache {
  /** The key, null when it was unknown, undefined when nothing fresh is remembered. */
  get(digest: string): KnownKey | null | undefined;
  /** `askedAtMs` is when the question was sent, because the answer may be as old as that. */
  put(digest: string, known: KnownKey | null, askedAtMs: number): void;
  dropKey(keyId: string): void;
  clear(): void;
  readonly size: number;
}

const KEY_REMEMBERED_MS = 1000;
const KNOWN_MAX = 20_000;
const UNKNOWN_MAX = 5000;

/** Unknown keys are kept apart, so that a flood of invented ones cannot evict the real ones. */
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

/** Remembers when keys were used and stores it periodically, so that no request waits for it. */
export interface KeyUsage {
  record(keyId: string): void;
  /** Writes what is due. Failed writes are kept for the next time. */
  flush(): Promise<void>;
  start(): void;
  /** Stops the timer and writes everything that is left, due or not. */
  stop(): Promise<void>;
}

export interface KeyUsageOptions {
  save(uses: ReadonlyMap<string, number>): Promise<void>;
  readonly nowMs: () => number;
  onError(error: unknown): void;
}

// A key's first use shows within seconds; after that a busy key costs one write a minute.
const LOOK_EVERY_MS = 5000;
const WRITE_EVERY_MS = 60_000;

export function createKeyUsage({ save, nowMs, onError }: KeyUsageOptions): KeyUsage {
  const pending = new Map<string, number>();
  const writtenAt = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let isRunning = false;
  let saving: Promise<void> = Promise.resolve();

  async function write(isDue: (keyId: string) => boolean): Promise<void> {
    const due = new Map([...pending].filter(([keyId]) => isDue(keyId)));
    if (due.size === 0) return;
    try {
      await save(due);
    } catch (error) {
      onError(error);
      return;
    }
    const doneMs = nowMs();
    for (const [keyId, usedMs] of due) {
      // A use that came in while the batch was on its way waits for the next one.
      if (pending.get(keyId) === usedMs) pending.delete(keyId);
      writtenAt.set(keyId, doneMs);
    }
  }

  function flushWhere(isDue: (keyId: string) => boolean): Promise<void> {
    saving = saving.then(() => write(isDue));
    return saving;
  }

  function flush(): Promise<void> {
    const beforeMs = nowMs() - WRITE_EVERY_MS;
    for (const [keyId, ms] of writtenAt) {
      if (ms <= beforeMs) writtenAt.delete(keyId);
    }
    return flushWhere((keyId) => !writtenAt.has(keyId));
  }

  function lookAgain(): void {
    if (!isRunning) return;
    timer = setTimeout(() => void flush().finally(lookAgain), LOOK_EVERY_MS);
    timer.unref();
  }

  return {
    record: (keyId) => void pending.set(keyId, nowMs()),
    flush,
    start() {
      if (isRunning) return;
      isRunning = true;
      lookAgain();
    },
    stop() {
      isRunning = false;
      if (timer) clearTimeout(timer);
      timer = null;
      return flushWhere(() => true);
    },
  };
}
