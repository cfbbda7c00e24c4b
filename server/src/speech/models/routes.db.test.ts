import { Engine } from "@parley/contract/engines";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import { createEngineRegistry } from "./engine-registry.ts";
import { engineRoutes } from "./routes.ts";

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(database.db, () => engineRoutes({ engines: createEngineRegistry() }));
});
afterAll(async () => {
  await api.close();
  await database.close();
});

it("lists every engine, and says of each unavailable one what is missing", async () => {
  const client = await api.addAccount("Ours");
  const reply = await client.send("GET", "/engines");
  expect(reply.status).toBe(200);
  const engines = reply.read(z.array(Engine));
  expect(engines.filter(({ available }) => available).map(({ name }) => name)).toEqual(["local"]);
  for (const engine of engines) expect(engine.missing.length > 0).toBe(!engine.available);
  const [local] = engines;
  expect(local?.model).toMatchObject({ name: null, missing: [expect.stringContaining("PARLEY_OPENAI_API_KEY")] });
});
