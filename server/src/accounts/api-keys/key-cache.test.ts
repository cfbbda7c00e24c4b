import { expect, test } from "vitest";
import type { KnownKey } from "../../platform/http/authenticate.ts";
import { createKeyCache } from "./key-lookup.ts";

function knownKey(keyId: string): KnownKey {
  return {
    actor: { kind: "key", keyId, accountId: "acc_1", mode: "test", scopes: new Set(), dailySpendCapMicros: null },
    allowedIps: [],
    expiresAtMs: null,
  };
}

test("a key is cached for less than a second after it was queried", () => {
  let nowMs = 10_000;
  const cache = createKeyCache(() => nowMs);
  cache.put("digest", knownKey("key_1"), 9_500);
  expect(cache.get("digest")?.actor.keyId).toBe("key_1");
  nowMs = 10_500;
  expect(cache.get("digest")).toBeUndefined();
  expect(cache.size).toBe(0);
});

test("a clock that is set back does not make a remembered key last longer", () => {
  let nowMs = 10_000;
  const cache = createKeyCache(() => nowMs);
  cache.put("digest", knownKey("key_1"), nowMs);
  nowMs = 9_000;
  expect(cache.get("digest")).toBeUndefined();
});

test("a changed key is forgotten and the others stay", () => {
  const cache = createKeyCache(() => 0);
  cache.put("one", knownKey("key_1"), 0);
  cache.put("two", knownKey("key_2"), 0);
  cache.dropKey("key_1");
  expect(cache.get("one")).toBeUndefined();
  expect(cache.get("two")?.actor.keyId).toBe("key_2");
});

test("a flood of invented keys neither grows without bound nor evicts a real key", () => {
  const cache = createKeyCache(() => 0);
  cache.put("real", knownKey("key_1"), 0);
  for (let i = 0; i < 20_000; i += 1) cache.put(`made-up-${i}`, null, 0);
  expect(cache.size).toBe(5001);
  expect(cache.get("real")?.actor.keyId).toBe("key_1");
  expect(cache.get("made-up-0")).toBeUndefined();
  expect(cache.get("made-up-19999")).toBeNull();
});
