import { timingSafeEqual } from "node:crypto";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Listener } from "../../platform/database/listen.ts";
import type { KnownKey } from "../../platform/http/authenticate.ts";
import { findApiKeyByDigest, touchApiKeys } from "./api-key-store.ts";
import { createKeyCache } from "./key-cache.ts";
import { looksLikeApiKey } from "./key-format.ts";
import { createKeyUsage } from "./key-usage.ts";

/** The channel on which the database tells that a key was changed or revoked; the payload is the key's id. */
export const API_KEYS_CHANNEL = "parley_api_keys";

export interface KeyLookupOptions {
  readonly db: Database;
  readonly listener: Pick<Listener, "isListening" | "on" | "onReconnect">;
  readonly secrets: Pick<Secrets, "digest">;
  readonly nowMs: () => number;
  /** Told when the times of last use could not be written; they are tried again. */
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
  // Counts what was told. An answer that was on its way meanwhile may be older than the news and is not remembered.
  let newsCount = 0;

  const stopListening = [
    listener.on(API_KEYS_CHANNEL, (keyId) => {
      newsCount += 1;
      asking.clear();
      cache.dropKey(keyId);
    }),
    listener.onReconnect(() => {
      newsCount += 1;
      asking.clear();
      cache.clear();
    }),
  ];

  async function ask(digest: Buffer, name: string): Promise<KnownKey | null> {
    const askedAtMs = nowMs();
    const newsBefore = newsCount;
    const wasListening = listener.isListening;
    const known = await readKey(db, digest);
    if (wasListening && listener.isListening && newsBefore === newsCount) cache.put(name, known, askedAtMs);
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
