import * as routes from "@parley/contract/routes/operator";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { openTrunkScene, type TrunkScene } from "../../phone/trunks/testing/trunk-scene.ts";
import { run } from "../../platform/database/database.ts";
import { createCursors } from "../../platform/http/cursor.ts";
import { createEngineRegistry } from "../../speech/models/engine-registry.ts";
import { rateRoutes } from "./rate-routes.ts";

let scene: TrunkScene;
/** The entries of tests before: they are never deleted. */
let auditedBefore: number;

beforeAll(async () => {
  scene = await openTrunkScene(inject("postgresUrl"), (db, secrets) =>
    rateRoutes({ db, cursors: createCursors(secrets.sign), engines: createEngineRegistry() }),
  );
});
afterAll(() => scene?.close());
beforeEach(async () => {
  await run(scene.database.db, "delete from provider_rates");
  auditedBefore = 0;
  auditedBefore = (await audited()).length;
});

const set = (body: object, as = "operator") => scene.call(routes.setProviderRate, { as, body });
const RECOGNITION = { provider: "deepgram", unit: "recognition_minute" };
const audited = async () => {
  const entries = await run<{ actor: string; target: string; data: unknown }>(
    scene.database.db,
    "select actor, target, data from audit_log where action = 'rate.changed' order by created_at, id",
  );
  return entries.slice(auditedBefore);
};

test("a rate is set, changed and removed, and each change is in the audit log with its author", async () => {
  expect((await set({ ...RECOGNITION, price: "0.0043" })).data).toEqual([{ ...RECOGNITION, price: "0.0043" }]);
  expect((await set({ ...RECOGNITION, price: "0.005" })).data).toEqual([{ ...RECOGNITION, price: "0.005" }]);
  expect((await set({ ...RECOGNITION, price: null })).data).toEqual([]);
  const by = { actor: scene.operatorId, target: "deepgram" };
  expect(await audited()).toEqual([
    { ...by, data: { unit: "recognition_minute", from: null, to: "0.0043" } },
    { ...by, data: { unit: "recognition_minute", from: "0.0043", to: "0.005" } },
    { ...by, data: { unit: "recognition_minute", from: "0.005", to: null } },
  ]);
});

test("a rate that stays as it was is not in the audit log", async () => {
  await set({ ...RECOGNITION, price: "0.0043" });
  await set({ ...RECOGNITION, price: "0.004300" });
  await set({ provider: "openai", unit: "output_1m_tokens", price: null });
  expect(await audited()).toHaveLength(1);
});

test("a model that hears and speaks has rates of its own", async () => {
  const rate = { provider: "gemini-live", unit: "output_1m_tokens", price: "12.00" };
  expect((await set(rate)).data).toEqual([rate]);
});

test.each([
  [{ ...RECOGNITION, provider: "nobody", price: "1" }, "provider"],
  [{ provider: "cartesia", unit: "recognition_minute", price: "1" }, "unit"],
  [{ provider: "deepgram", unit: "output_1m_tokens", price: "1" }, "unit"],
  [{ ...RECOGNITION, price: "-1" }, "price"],
  [{ ...RECOGNITION, price: "0.0000001" }, "price"],
])("refuses %j", async (body, param) => {
  expect(await set(body)).toMatchObject({ status: 422, error: { param } });
  expect((await scene.call(routes.listProviderRates, { as: "operator" })).data).toEqual([]);
});

test("only operators see and set what vendors charge", async () => {
  expect((await set({ ...RECOGNITION, price: "1" }, "owner")).status).toBe(403);
  expect((await scene.call(routes.listProviderRates, { as: "owner" })).status).toBe(403);
});
