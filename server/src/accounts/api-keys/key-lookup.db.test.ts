import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import type { Listener } from "../../platform/database/listen.ts";
import { type AccountScene, openAccountScene, openListener } from "../testing/account-scene.ts";
import { createApiKey, revokeApiKey } from "./api-keys.ts";
import { createKeyLookup, type KeyLookup } from "./key-lookup.ts";

let scene: AccountScene;
let accountId: string;
let other: { listener: Listener; lookup: KeyLookup };

beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
  accountId = (await scene.signUp()).me.account.id;
  const listener = await openListener(scene.database.url);
  const { db, secrets } = scene.deps;
  const lookup = createKeyLookup({ db, listener, secrets, nowMs: Date.now, onError: () => undefined });
  other = { listener, lookup };
});
afterAll(async () => {
  await other.lookup.stop();
  await other.listener.close();
  await scene.close();
});

function makeKey() {
  return inTransaction(scene.deps.db, (tx) =>
    createApiKey(
      tx,
      scene.deps.secrets,
      { accountId, name: "k", mode: "live", createdBy: null, actor: "operator", ip: null, client: null },
      Date.now(),
    ),
  );
}

function revoke(keyId: string) {
  return inTransaction(scene.deps.db, (tx) =>
    revokeApiKey(tx, { accountId, keyId, actor: "operator", ip: null, client: null }),
  );
}

test("a key revoked in one process is dead in another within a second", async () => {
  const { id, key } = await makeKey();
  expect((await scene.lookup.findKey(key))?.actor.keyId).toBe(id);
  expect((await other.lookup.findKey(key))?.actor.keyId).toBe(id);
  await revoke(id);
  await vi.waitFor(async () => expect(await other.lookup.findKey(key)).toBeNull(), { timeout: 1000, interval: 10 });
  await vi.waitFor(async () => expect(await scene.lookup.findKey(key)).toBeNull(), { timeout: 1000, interval: 10 });
});

test("a revoked key is dead within a second also where the listening connection has just been cut", async () => {
  const { id, key } = await makeKey();
  expect((await other.lookup.findKey(key))?.actor.keyId).toBe(id);
  await run(
    scene.deps.db,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'parley-listen' and datname = current_database()`,
  );
  await revoke(id);
  await vi.waitFor(async () => expect(await other.lookup.findKey(key)).toBeNull(), { timeout: 1000, interval: 10 });
  await vi.waitFor(() => expect(other.listener.isListening).toBe(true), { timeout: 5000 });
  expect(await other.lookup.findKey(key)).toBeNull();
});

test("a key is found by its digest; the key itself is nowhere in the database", async () => {
  const { id, key } = await makeKey();
  const [row] = await run<{ text: string }>(
    scene.deps.db,
    "select row_to_json(k)::text as text from api_keys k where id = $1",
    [id],
  );
  expect(row?.text).not.toContain(key);
  expect(row?.text).not.toContain(key.slice(13, 43));
  expect((await scene.lookup.findKey(key))?.actor).toMatchObject({ accountId, mode: "live", keyId: id });
});

test("the last use of a key is stored, and never moves back in time", async () => {
  const { id, key } = await makeKey();
  await scene.lookup.findKey(key);
  await scene.lookup.flushUsage();
  const read = async () =>
    (await run<{ at: Date | null }>(scene.deps.db, "select last_used_at as at from api_keys where id = $1", [id]))[0]
      ?.at;
  const first = await read();
  expect(first?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  const behind = createKeyLookup({
    db: scene.deps.db,
    listener: other.listener,
    secrets: scene.deps.secrets,
    nowMs: () => Date.now() - 3_600_000,
    onError: () => undefined,
  });
  await behind.findKey(key);
  await behind.stop();
  expect(await read()).toEqual(first);
});
