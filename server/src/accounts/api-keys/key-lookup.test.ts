import { SCOPES } from "@parley/contract/scopes";
import { expect, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import type { Database } from "../../platform/database/database.ts";
import { makeApiKey } from "./key-format.ts";
import { createKeyLookup } from "./key-lookup.ts";

const secrets = deriveSecrets("a secret of the tests that is long enough");

/** A database with one key that answers on demand, and a listener that forwards notifications. */
function scene() {
  const key = makeApiKey("live");
  const state = { nowMs: 1_000_000, isListening: true, revokedAt: null as Date | null, queries: 0 };
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const told: ((payload: string) => void)[] = [];
  const reconnected: (() => void)[] = [];
  const executeQuery = async ({ parameters }: { parameters: [Buffer] }) => {
    state.queries += 1;
    const digest = secrets.digest(key);
    const row = {
      id: "key_1",
      account_id: "acc_1",
      mode: "live",
      digest,
      scopes: SCOPES,
      allowed_ips: [],
      daily_spend_cap_micros: null,
      expires_at: null,
      revoked_at: state.revokedAt,
    };
    // The answer is fixed here, as a snapshot is, and may arrive later.
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    return { rows: parameters[0].equals(digest) ? [row] : [] };
  };
  const lookup = createKeyLookup({
    db: { executeQuery } as unknown as Database,
    listener: {
      get isListening() {
        return state.isListening;
      },
      on: (_channel, handler) => {
        told.push(handler);
        return () => undefined;
      },
      onReconnect: (handler) => {
        reconnected.push(handler);
        return () => undefined;
      },
    },
    secrets,
    nowMs: () => state.nowMs,
    onError: () => undefined,
  });
  return {
    key,
    state,
    lookup,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
    tell: () => {
      for (const handler of told) handler("key_1");
    },
    reconnect: () => {
      for (const handler of reconnected) handler();
    },
  };
}

test("a key in constant use is queried once a second", async () => {
  const { key, state, lookup } = scene();
  for (let i = 0; i < 100; i += 1) {
    expect((await lookup.findKey(key))?.actor).toMatchObject({ keyId: "key_1", accountId: "acc_1", mode: "live" });
    state.nowMs += 20;
  }
  expect(state.queries).toBe(2);
});

test("requests that arrive together share one question", async () => {
  const { key, state, lookup, hold, release } = scene();
  hold();
  const answers = Promise.all(Array.from({ length: 50 }, () => lookup.findKey(key)));
  release();
  expect((await answers).every((known) => known?.actor.keyId === "key_1")).toBe(true);
  expect(state.queries).toBe(1);
});

test("a mistyped key never reaches the database", async () => {
  const { key, state, lookup } = scene();
  expect(await lookup.findKey(`${key.slice(0, -1)}!`)).toBeNull();
  expect(await lookup.findKey("svc_live_nonsense")).toBeNull();
  expect(state.queries).toBe(0);
});

test("an unknown key is queried at most once a second, however often it is tried", async () => {
  const { state, lookup } = scene();
  const unknown = makeApiKey("test");
  for (let i = 0; i < 10; i += 1) expect(await lookup.findKey(unknown)).toBeNull();
  expect(state.queries).toBe(1);
});

test("a revoked key is rejected by the first request after the notification", async () => {
  const { key, state, lookup, tell } = scene();
  await lookup.findKey(key);
  state.revokedAt = new Date();
  tell();
  expect(await lookup.findKey(key)).toBeNull();
});

test("an answer that was on its way when the key was revoked is not remembered", async () => {
  const { key, state, lookup, hold, release, tell } = scene();
  hold();
  const early = lookup.findKey(key);
  state.revokedAt = new Date();
  tell();
  const late = lookup.findKey(key);
  release();
  expect((await early)?.actor.keyId).toBe("key_1");
  expect(await late).toBeNull();
  expect(await lookup.findKey(key)).toBeNull();
});

test("nothing is cached while notifications cannot arrive", async () => {
  const { key, state, lookup } = scene();
  await lookup.findKey(key);
  state.isListening = false;
  state.revokedAt = new Date();
  expect(await lookup.findKey(key)).toBeNull();
  expect(await lookup.findKey(key)).toBeNull();
  expect(state.queries).toBe(3);
});

test("the cache is cleared after the connection was lost", async () => {
  const { key, state, lookup, reconnect } = scene();
  await lookup.findKey(key);
  state.isListening = false;
  state.revokedAt = new Date();
  state.isListening = true;
  reconnect();
  expect(await lookup.findKey(key)).toBeNull();
});

test("an answer that was on its way when the connection was lost is not remembered", async () => {
  const { key, state, lookup, hold, release, reconnect } = scene();
  hold();
  const early = lookup.findKey(key);
  state.isListening = false;
  state.revokedAt = new Date();
  state.isListening = true;
  reconnect();
  release();
  await early;
  expect(await lookup.findKey(key)).toBeNull();
});
