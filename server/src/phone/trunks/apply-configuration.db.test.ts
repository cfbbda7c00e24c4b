import * as routes from "@parley/contract/routes/operator";
import { NewTrunk } from "@parley/contract/trunks";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { inTransaction, run } from "../../platform/database/database.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import { takeTrunkSlot } from "./slot-store.ts";
import { openTrunkScene, type TrunkScene } from "./testing/trunk-scene.ts";

let scene: TrunkScene;

beforeAll(async () => {
  scene = await openTrunkScene(inject("postgresUrl"));
});
afterAll(() => scene.close());
beforeEach(async () => {
  await run(scene.database.db, "delete from trunk_routes");
  await run(scene.database.db, "delete from trunks");
});

interface File {
  readonly trunks: readonly object[];
  readonly routes?: readonly { prefix: string; trunk: string; priority?: number; weight?: number }[];
}
const apply = (file: File, secrets = scene.secrets) =>
  applyConfiguration(scene.database.db, secrets, {
    trunks: file.trunks.map((trunk) => NewTrunk.parse({ host: "sip.example.com", ...trunk })),
    routes: (file.routes ?? []).map((route) => ({ priority: 0, weight: 1, ...route })),
  });
const operator = { as: "operator" } as const;
const listed = async () => (await scene.call(routes.listTrunks, operator)).items;
const listedRoutes = async () => (await scene.call(routes.listTrunkRoutes, operator)).items;
const auditCount = async () =>
  (await run<{ n: number }>(scene.database.db, "select count(*)::int as n from audit_log"))[0]?.n;

describe("trunks from the file", () => {
  test("exist after the start, and a second start changes nothing and audits nothing", async () => {
    const file = {
      trunks: [{ name: "One", username: "u", password: "pw" }, { name: "Two" }],
      routes: [
        { prefix: "", trunk: "ONE" },
        { prefix: "49", trunk: "Two", priority: 3 },
      ],
    };
    expect(await apply(file)).toEqual({ created: ["One", "Two"], changed: [], disabled: [], routesChanged: 2 });
    const before = [await listed(), await listedRoutes(), await auditCount()];
    expect(await apply(file)).toEqual({ created: [], changed: [], disabled: [], routesChanged: 0 });
    expect([await listed(), await listedRoutes(), await auditCount()]).toEqual(before);
    expect(await listed()).toMatchObject([
      { name: "Two", managedBy: "configuration" },
      { name: "One", managedBy: "configuration", hasPassword: true },
    ]);
    expect(await listedRoutes()).toMatchObject([
      { prefix: "", trunkName: "One", managedBy: "configuration" },
      { prefix: "49", trunkName: "Two", priority: 3 },
    ]);
  });

  test("follow the file: fields, passwords, routes", async () => {
    await apply({
      trunks: [{ name: "One", username: "u", password: "pw" }],
      routes: [
        { prefix: "1", trunk: "One" },
        { prefix: "2", trunk: "One" },
      ],
    });
    const [before] = await listed();
    const applied = await apply({
      trunks: [{ name: "One", username: "u", password: "other", channelsMax: 4 }],
      routes: [
        { prefix: "2", trunk: "One", weight: 9 },
        { prefix: "3", trunk: "One" },
      ],
    });
    expect(applied).toEqual({ created: [], changed: ["One"], disabled: [], routesChanged: 3 });
    expect(await listed()).toMatchObject([{ id: before?.id, channelsMax: 4 }]);
    expect((await listedRoutes()).map(({ prefix, weight }) => [prefix, weight])).toEqual([
      ["2", 9],
      ["3", 1],
    ]);
    const [row] = await run<{ sealed: Buffer }>(scene.database.db, "select password_sealed as sealed from trunks");
    expect(scene.secrets.open(row?.sealed ?? Buffer.alloc(0), `${before?.id}/password`)).toBe("other");
    expect(JSON.stringify(await run(scene.database.db, "select data from audit_log"))).not.toMatch(/"pw"|"other"/);
  });

  test("cannot be changed elsewhere, and neither can their routes", async () => {
    await apply({ trunks: [{ name: "One" }], routes: [{ prefix: "1", trunk: "One" }] });
    const [trunk] = await listed();
    const [route] = await listedRoutes();
    const ofTrunk = { ...operator, params: { id: trunk?.id ?? "" } };
    const ofRoute = { ...operator, params: { id: route?.id ?? "" } };
    const replies = [
      await scene.call(routes.changeTrunk, { ...ofTrunk, body: { isEnabled: false } }),
      await scene.call(routes.deleteTrunk, ofTrunk),
      await scene.call(routes.changeTrunkRoute, { ...ofRoute, body: { weight: 2 } }),
      await scene.call(routes.deleteTrunkRoute, ofRoute),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 409, code: "invalid_state" });
      expect(reply.error.message).toContain("PARLEY_TRUNKS");
    }
    expect(await listed()).toEqual([trunk]);
  });

  test("that are no longer in it are disabled with calls on them, lose its routes, and become the operator's", async () => {
    const { db } = scene.database;
    await apply({
      trunks: [{ name: "One", username: "u", password: "pw" }, { name: "Two" }],
      routes: [{ prefix: "1", trunk: "One" }],
    });
    const one = (await listed()).find(({ name }) => name === "One");
    await inTransaction(db, (tx) => takeTrunkSlot(tx, one?.id ?? ""));
    expect(await apply({ trunks: [{ name: "Two" }] })).toMatchObject({ disabled: ["One"], routesChanged: 1 });
    expect((await listed()).find(({ name }) => name === "One")).toMatchObject({
      id: one?.id,
      isEnabled: false,
      managedBy: "operator",
      hasPassword: true,
      activeCalls: 1,
    });
    expect(await listedRoutes()).toEqual([]);
    const reply = await scene.call(routes.changeTrunk, {
      ...operator,
      params: { id: one?.id ?? "" },
      body: { isEnabled: true },
    });
    expect(reply.status).toBe(200);
    // Once removed from the file, it is no longer changed by it.
    expect(await apply({ trunks: [{ name: "Two" }] })).toMatchObject({ disabled: [] });
  });

  test("take over what an operator made under the same name, and leave everything else of the operator's", async () => {
    const make = (name: string) =>
      scene.call(routes.createTrunk, { ...operator, body: { name, host: "old.example.com" } });
    const same = (await make("one")).data;
    const other = (await make("Other")).data;
    const body = { prefix: "7", trunkId: other.id };
    await scene.call(routes.createTrunkRoute, { ...operator, body });
    await scene.call(routes.createTrunkRoute, { ...operator, body: { prefix: "1", trunkId: same.id } });
    const ofOther = async () => (await listed()).find(({ id }) => id === other.id);
    const before = await ofOther();
    await apply({ trunks: [{ name: "One" }], routes: [{ prefix: "1", trunk: "One" }] });
    expect((await listed()).find(({ id }) => id === same.id)).toMatchObject({
      name: "One",
      host: "sip.example.com",
      managedBy: "configuration",
    });
    expect(await ofOther()).toEqual(before);
    expect((await listedRoutes()).map(({ prefix, managedBy }) => [prefix, managedBy])).toEqual([
      ["1", "configuration"],
      ["7", "operator"],
    ]);
  });

  test("are created once by processes that start together", async () => {
    const file = { trunks: [{ name: "One" }, { name: "Two" }], routes: [{ prefix: "", trunk: "One" }] };
    const all = await Promise.all([apply(file), apply(file), apply(file), apply(file)]);
    expect(all.filter(({ created }) => created.length > 0)).toHaveLength(1);
    expect(await listed()).toHaveLength(2);
    expect(await listedRoutes()).toHaveLength(1);
  });

  test("store their passwords again when the installation's secret is another", async () => {
    const file = { trunks: [{ name: "One", username: "u", password: "pw" }] };
    await apply(file, deriveSecrets("the secret before it was replaced"));
    expect(await apply(file)).toMatchObject({ changed: ["One"] });
    expect(await apply(file)).toMatchObject({ changed: [] });
  });

  test("that cannot be applied leave everything as it was", async () => {
    await apply({ trunks: [{ name: "One" }] });
    const before = await listed();
    const wrong = apply({ trunks: [{ name: "New" }, { name: "One", registersAs: "nobody" }] });
    await expect(wrong).rejects.toThrow("registersAs needs username and password");
    expect(await listed()).toEqual(before);
  });
});
