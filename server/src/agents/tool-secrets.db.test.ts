import { ToolSecret } from "@parley/contract/agents";
import { EMPTY_FLOW } from "@parley/contract/flow";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { deriveSecrets } from "../platform/config/secret.ts";
import { inTransaction } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../platform/http/testing/open-test-api.ts";
import { toolSecretRoutes } from "./routes.ts";
import { readToolSecret, rotateToolSecret, toolSecretsForFlow } from "./tool-secrets.ts";

let database: TestDatabase;
let api: TestApi;
let nowMs = Date.UTC(2026, 2, 2, 12);
const secrets = deriveSecrets("a secret that is only used in tests");
const deps = { secrets, nowMs: () => nowMs };
const HOUR_MS = 3_600_000;
const FLOW = {
  ...EMPTY_FLOW,
  nodes: [{ id: "ask_it", type: "tool", request: { method: "GET", url: "https://api.example.com" } } as const],
};

beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(database.db, () => toolSecretRoutes({ db: database.db, ...deps }));
});
afterAll(async () => {
  await api.close();
  await database.close();
});

describe("the secret that signs the requests of tools", () => {
  it("is created once per account, even by concurrent requests, and differs between accounts", async () => {
    const [ours, theirs] = [await api.addAccount("Ours"), await api.addAccount("Theirs")];
    const read = (accountId: string) => readToolSecret(deps, database.db, accountId);
    const found = await Promise.all(Array.from({ length: 5 }, () => read(ours.accountId)));
    expect(new Set(found.map(({ secret }) => secret)).size).toBe(1);
    expect(found[0]?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await read(theirs.accountId)).secret).not.toBe(found[0]?.secret);
  });

  it("is rotated by the API, and the previous one also signs for a day", async () => {
    const ours = await api.addAccount("Ours");
    const [before] = await toolSecretsForFlow(deps, database.db, ours.accountId, FLOW);
    const rotated = (await ours.send("POST", "/tools/rotate-secret")).read(ToolSecret);
    expect(rotated).toMatchObject({ previousSecret: before });
    expect(rotated.secret).not.toBe(before);
    const signing = () => toolSecretsForFlow(deps, database.db, ours.accountId, FLOW);
    expect(await signing()).toEqual([rotated.secret, before]);
    nowMs += 25 * HOUR_MS;
    expect(await signing()).toEqual([rotated.secret]);
  });

  it("is not created for a flow that sends no requests", async () => {
    const ours = await api.addAccount("Ours");
    expect(await toolSecretsForFlow(deps, database.db, ours.accountId, EMPTY_FLOW)).toEqual([]);
    const rows = await database.db
      .selectFrom("tool_secrets")
      .where("account_id", "=", ours.accountId)
      .selectAll()
      .execute();
    expect(rows).toEqual([]);
  });

  it("that was sealed under another installation's secret can be replaced by rotating", async () => {
    const ours = await api.addAccount("Ours");
    const others = { ...deps, secrets: deriveSecrets("another secret that is only used in tests") };
    await readToolSecret(others, database.db, ours.accountId);
    await expect(readToolSecret(deps, database.db, ours.accountId)).rejects.toThrow("PARLEY_SECRET");
    const rotated = await inTransaction(database.db, (tx) => rotateToolSecret(deps, tx, ours.accountId));
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previousSecret: null });
  });
});
