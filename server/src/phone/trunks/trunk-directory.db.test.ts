import { NewTrunk } from "@parley/contract/trunks";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { run } from "../../platform/database/database.ts";
import { type Listener, listen } from "../../platform/database/listen.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { changeTrunk, createTrunk, removeTrunk } from "./change-trunk.ts";
import { type OpenTrunkDirectory, openTrunkDirectory, type TrunkDirectoryDeps } from "./trunk-directory.ts";
import { createTrunkRoute, removeTrunkRoute } from "./trunk-routes.ts";

const secrets = deriveSecrets("a secret of the tests that is long enough");
const by = { accountId: null, actor: "operator" };
let t: TestDatabase;
let listener: Listener;
let opened: OpenTrunkDirectory[] = [];
let logged: { message: string; fields: object }[] = [];

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  listener = listen(t.url, ["parley_trunks"], () => undefined);
  await new Promise<void>((resolve) => {
    const stop = listener.onReconnect(() => {
      stop();
      resolve();
    });
  });
});
afterAll(async () => {
  await listener.close();
  await t.close();
});
beforeEach(async () => {
  logged = [];
  await run(t.db, "delete from trunk_routes");
  await run(t.db, "delete from trunks");
});
afterEach(async () => {
  for (const directory of opened) await directory.close();
  opened = [];
});

const add = (name: string, fields: object = {}) =>
  createTrunk(t.db, secrets, NewTrunk.parse({ name, host: "sip.example.com", ...fields }), by);
const log = {
  warn: (fields: object, message: string) => void logged.push({ fields, message }),
  error: (fields: object, message: string) => void logged.push({ fields, message }),
} as unknown as TrunkDirectoryDeps["log"];

async function open(deps: Partial<TrunkDirectoryDeps> = {}) {
  const directory = await openTrunkDirectory({ db: t.db, listener, secrets, log, ...deps });
  opened.push(directory);
  let changes = 0;
  directory.onChange(() => {
    changes += 1;
  });
  return { directory, changes: () => changes, names: () => directory.current().trunks.map(({ name }) => name) };
}

describe("the directory of trunks", () => {
  test("knows from the beginning what is stored, with passwords that can be used", async () => {
    const id = await add("One", { username: "u", password: "pw", channelsMax: 3 });
    const route = await createTrunkRoute(t.db, { prefix: "49", trunkId: id, priority: 1, weight: 2 }, by);
    const { directory } = await open();
    expect(directory.current()).toMatchObject({
      trunks: [{ id, name: "One", channelsMax: 3, sip: { credentials: { username: "u", password: "pw" } } }],
      routes: [{ id: route.id, prefix: "49", trunkId: id, priority: 1, weight: 2 }],
    });
  });

  test("is notified of every kind of change, from any process", async () => {
    const { names, directory, changes } = await open();
    const id = await add("One");
    await expect.poll(names).toEqual(["One"]);
    await changeTrunk(t.db, secrets, id, { name: "Two" }, by);
    await expect.poll(names).toEqual(["Two"]);
    await changeTrunk(t.db, secrets, id, { channelsMax: 9 }, by);
    await expect.poll(() => directory.current().trunks[0]?.channelsMax).toBe(9);
    const route = await createTrunkRoute(t.db, { prefix: "", trunkId: id, priority: 0, weight: 1 }, by);
    await expect.poll(() => directory.current().routes.length).toBe(1);
    await removeTrunkRoute(t.db, route.id, by);
    await expect.poll(() => directory.current().routes.length).toBe(0);
    await removeTrunk(t.db, id, by);
    await expect.poll(names).toEqual([]);
    expect(changes()).toBeGreaterThanOrEqual(6);
  });

  test("is the same object, and notifies no one, while calls start and end", async () => {
    const id = await add("One");
    const { directory, changes, names } = await open();
    const before = directory.current();
    await run(t.db, "update trunk_channels set active_count = active_count + 1 where trunk_id = $1", [id]);
    await run(t.db, "notify parley_trunks");
    await run(t.db, "update trunk_channels set active_count = 0 where trunk_id = $1", [id]);
    expect(directory.current()).toBe(before);
    // Announcements arrive in order: this one shows that those before it were dealt with.
    await add("Two");
    await expect.poll(names).toEqual(["One", "Two"]);
    expect(changes()).toBe(1);
  });

  test("reloads after its connection was lost, because it may have missed something", async () => {
    const { names } = await open();
    // Without the notification, as if it had been sent while no one listened.
    await run(t.db, "alter table trunks disable trigger trunks_changed");
    await add("Unannounced");
    await run(t.db, "alter table trunks enable trigger trunks_changed");
    await run(
      t.db,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley-listen' and datname = current_database()",
    );
    await expect.poll(names, { timeout: 10_000 }).toEqual(["Unannounced"]);
  });

  test("keeps its last state while the database cannot be read, and reloads later", async () => {
    await add("One");
    const clock = createVirtualClock();
    let isAway = false;
    const db = new Proxy(t.db, {
      get: (target, name) => {
        if (isAway && name === "selectFrom") throw new Error("the database is away");
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const { names } = await open({ db, clock });
    isAway = true;
    await add("Two");
    // A trunk and its route are announced one after the other, and may be read together or apart.
    await expect
      .poll(() => [...new Set(logged.map(({ message }) => message))])
      .toEqual(["trunks could not be reloaded; keeping the current ones"]);
    expect(names()).toEqual(["One"]);
    isAway = false;
    await clock.advance(1000);
    await expect.poll(names).toEqual(["One", "Two"]);
  });

  test("leaves out a trunk whose password was stored under another secret, says what to do, and keeps the others", async () => {
    await add("Readable", { username: "u", password: "pw" });
    const id = await createTrunk(
      t.db,
      deriveSecrets("the secret of another installation"),
      NewTrunk.parse({ name: "Foreign", host: "sip.example.com", username: "u", password: "hunter2" }),
      by,
    );
    await createTrunkRoute(t.db, { prefix: "49", trunkId: id, priority: 0, weight: 1 }, by);
    const { names, directory } = await open();
    expect(names()).toEqual(["Readable"]);
    expect(directory.current().routes).toEqual([]);
    expect(logged).toMatchObject([{ fields: { trunkId: id, trunk: "Foreign" } }]);
    expect(JSON.stringify(logged)).toContain("PARLEY_SECRET");
    expect(JSON.stringify(logged)).not.toContain("hunter2");
    // Entered again, it works.
    await changeTrunk(t.db, secrets, id, { password: "hunter2" }, by);
    await expect.poll(names).toEqual(["Readable", "Foreign"]);
  });

  test("notifies no one once it is closed", async () => {
    const { directory, changes } = await open();
    await directory.close();
    const other = await open();
    await add("One");
    await expect.poll(other.names).toEqual(["One"]);
    expect([changes(), directory.current().trunks]).toEqual([0, []]);
  });
});
