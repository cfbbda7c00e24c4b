import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { suppressionRoutes } from "../../phone/gate/routes.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(database.db, (cursors) => suppressionRoutes({ db: database.db, cursors }));
});
afterAll(async () => {
  await api.close();
  await database.close();
});

test("adding and removing a suppressed number is audited with the actor; a refused request is not", async () => {
  const client = await api.addAccount("Audited");
  await client.send("POST", "/suppressions", { body: { phoneNumber: "+15550100001" } });
  await client.send("DELETE", `/suppressions?phoneNumber=${encodeURIComponent("+15550100001")}`);
  await client.send("DELETE", `/suppressions?phoneNumber=${encodeURIComponent("+15550100001")}`);
  const entries = await run<{ action: string; target: string; actor: string }>(
    database.db,
    "select action, target, actor from audit_log where account_id = $1 and action like 'suppression.%' order by created_at, id",
    [client.accountId],
  );
  expect(entries.map(({ action, target }) => [action, target])).toEqual([
    ["suppression.added", "+15550100001"],
    ["suppression.removed", "+15550100001"],
  ]);
  expect(new Set(entries.map(({ actor }) => actor.split("_")[0]))).toEqual(new Set(["key"]));
});
