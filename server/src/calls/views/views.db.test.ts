import { CALL_VIEWS_MAX, CallView } from "@parley/contract/calls";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import { callViewRoutes } from "./routes.ts";

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(database.db, () => callViewRoutes({ db: database.db }));
});
afterAll(async () => {
  await api.close();
  await database.close();
});

test("a view is saved, replaced by one of the same name, listed by name and deleted", async () => {
  const client = await api.addAccount("Ours");
  const save = async (name: string, query: object) =>
    (await client.send("POST", "/call-views", { body: { name, query } })).read(CallView);
  await save("b", { status: "failed" });
  const kept = await save("a", { search: "refund" });
  const replaced = await save("b", { status: "completed" });
  const list = async () => (await client.send("GET", "/call-views")).read(z.array(CallView));
  expect((await list()).map(({ name, query }) => [name, query["status"] ?? query["search"]])).toEqual([
    ["a", "refund"],
    ["b", "completed"],
  ]);
  expect((await client.send("DELETE", `/call-views/${replaced.id}`)).status).toBe(200);
  expect((await client.send("DELETE", `/call-views/${replaced.id}`)).status).toBe(404);
  expect(await list()).toEqual([kept]);
});

test("views of other accounts are neither seen nor deleted", async () => {
  const [ours, theirs] = [await api.addAccount("Ours"), await api.addAccount("Theirs")];
  const { id } = (await ours.send("POST", "/call-views", { body: { name: "a", query: {} } })).read(CallView);
  expect((await theirs.send("GET", "/call-views")).body.data).toEqual([]);
  expect((await theirs.send("DELETE", `/call-views/${id}`)).status).toBe(404);
});

test("a filter that does not exist and one view too many are refused", async () => {
  const client = await api.addAccount("Ours");
  const save = (name: string, query: object) => client.send("POST", "/call-views", { body: { name, query } });
  expect(await save("a", { color: "red" })).toMatchObject({ status: 422 });
  for (let made = 0; made < CALL_VIEWS_MAX; made++) expect((await save(`view ${made}`, {})).status).toBe(200);
  expect(await save("one more", {})).toMatchObject({ status: 409, body: { error: { code: "invalid_state" } } });
  expect((await save("view 1", { status: "failed" })).status).toBe(200);
});
