import type { Route } from "@parley/contract/route";
import * as routes from "@parley/contract/routes/operator";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { openTrunkScene, type TrunkScene } from "./testing/trunk-scene.ts";

let scene: TrunkScene;
let one: string;
let two: string;

beforeAll(async () => {
  scene = await openTrunkScene(inject("postgresUrl"));
  one = (await ask(routes.createTrunk, {}, { name: "One", host: "one.example.com" })).data.id;
  two = (await ask(routes.createTrunk, {}, { name: "Two", host: "two.example.com" })).data.id;
});
afterAll(() => scene.close());
beforeEach(() => run(scene.database.db, "delete from trunk_routes"));

const ask = <R extends Route>(route: R, params: Record<string, string>, body?: object) =>
  scene.call(route, { as: "operator", params, ...(body === undefined ? {} : { body }) });
const add = (body: object) => ask(routes.createTrunkRoute, {}, body);
const change = (id: string, body: object) => ask(routes.changeTrunkRoute, { id }, body);
const remove = (id: string) => ask(routes.deleteTrunkRoute, { id });

describe("a route", () => {
  test("leads a prefix, or everything, to a trunk", async () => {
    const { data } = await add({ prefix: "49", trunkId: one });
    expect(data).toMatchObject({ prefix: "49", trunkId: one, trunkName: "One", priority: 0, weight: 1 });
    expect(data.managedBy).toBe("operator");
    expect((await add({ prefix: "", trunkId: two, priority: 5, weight: 0 })).data).toMatchObject({
      prefix: "",
      weight: 0,
    });
  });

  test("is changed and removed, and both are in the audit log", async () => {
    const { id } = (await add({ prefix: "49", trunkId: one })).data;
    const changed = (await change(id, { trunkId: two, weight: 7 })).data;
    expect(changed).toMatchObject({ prefix: "49", trunkId: two, trunkName: "Two", weight: 7, priority: 0 });
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).code).toBe("not_found");
    expect((await change(id, { weight: 1 })).code).toBe("not_found");
    const entries = await run<{ action: string; data: unknown }>(
      scene.database.db,
      "select action, actor, data from audit_log where target = $1 order by created_at, id",
      [id],
    );
    expect(entries).toMatchObject([
      { action: "route.created", actor: scene.operatorId },
      { action: "route.changed", data: { changes: { weight: { from: 1, to: 7 }, trunkId: { from: one, to: two } } } },
      { action: "route.removed", data: { prefix: "49", trunkId: two } },
    ]);
  });

  test("exists once for each prefix and trunk", async () => {
    const { id } = (await add({ prefix: "49", trunkId: one })).data;
    expect((await add({ prefix: "49", trunkId: two })).status).toBe(200);
    expect(await add({ prefix: "49", trunkId: one })).toMatchObject({ status: 422, error: { param: "prefix" } });
    expect(await change(id, { trunkId: two })).toMatchObject({ status: 422, error: { param: "prefix" } });
  });

  test.each<[string, object]>([
    ["prefix", { prefix: "+49" }],
    ["prefix", { prefix: "4 9" }],
    ["prefix", { prefix: "1234567890123456" }],
    ["trunkId", { trunkId: "trk_gone" }],
    ["priority", { priority: -1 }],
    ["priority", { priority: 1.5 }],
    ["weight", { weight: -1 }],
    ["to", { to: "x" }],
  ])("whose %s is as in %j is refused by that name", async (param, fields) => {
    const sound = { prefix: "1", trunkId: one };
    expect(await add({ ...sound, ...fields })).toMatchObject({ status: 422, error: { param } });
    const { id } = (await add(sound)).data;
    expect(await change(id, fields)).toMatchObject({ status: 422, error: { param } });
  });

  test("is listed by prefix, page by page, each once", async () => {
    for (const prefix of ["49", "", "4", "1", "4930"]) {
      for (const trunkId of [one, two]) await add({ prefix, trunkId });
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: "3", ...(cursor === null ? {} : { cursor }) };
      const page = await scene.call(routes.listTrunkRoutes, { as: "operator", query });
      seen.push(...page.items.map(({ prefix, trunkName }) => `${prefix}:${trunkName}`));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(10);
    expect(new Set(seen).size).toBe(10);
    expect(seen.map((each) => each.split(":")[0])).toEqual(["", "", "1", "1", "4", "4", "49", "49", "4930", "4930"]);
  });
});
