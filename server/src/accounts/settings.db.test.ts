import { changeSettings, getSettings } from "@parley/contract/routes/account";
import { changeOperatorAccount, claimAccount, listAudit, listOperatorAccounts } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ensureFirstAccount } from "./create-account.ts";
import { type AccountScene, openAccountScene, PASSWORD, tokenIn } from "./testing/account-scene.ts";

let scene: AccountScene;
let operatorToken: string;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
  const token = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  const body = { token, email: "operator@example.com", password: PASSWORD };
  operatorToken = (await scene.call(claimAccount, { body })).token;
});
afterAll(() => scene.close());

test("an owner sets and lifts the account's daily cap, and the audit log says from what to what", async () => {
  const ada = await scene.signUp();
  expect((await scene.call(getSettings, { as: ada.token })).data).toEqual({
    dailySpendCap: null,
    callSpendCap: null,
    destinationSpendCap: null,
    creditLowAt: "1.00",
    callingHours: null,
    retentionDays: null,
    disclosure: null,
    pronunciations: [],
  });
  const changed = await scene.call(changeSettings, { as: ada.token, body: { dailySpendCap: "2.5" } });
  expect(changed.data.dailySpendCap).toBe("2.50");
  expect((await scene.call(getSettings, { as: ada.token })).data.dailySpendCap).toBe("2.50");
  const { daily_spend_cap_micros } = await scene.deps.db
    .selectFrom("accounts")
    .select("daily_spend_cap_micros")
    .where("id", "=", ada.me.account.id)
    .executeTakeFirstOrThrow();
  expect(daily_spend_cap_micros).toBe(2_500_000n);
  await scene.call(changeSettings, { as: ada.token, body: { dailySpendCap: null } });
  const caps = (await scene.call(listAudit, { as: ada.token })).items
    .filter((entry) => entry.action === "settings.changed")
    .map((entry) => entry.data["dailySpendCap"]);
  expect(caps).toEqual([
    { from: "2.50", to: null },
    { from: null, to: "2.50" },
  ]);
});

test("an owner sets what a call and a number may cost, when credit is low and when callees are phoned", async () => {
  const ada = await scene.signUp();
  const input = {
    callSpendCap: "0.5",
    destinationSpendCap: "2",
    creditLowAt: "3.25",
    callingHours: { start: "09:00", end: "18:30" },
  };
  const changed = await scene.call(changeSettings, { as: ada.token, body: input });
  const settings = { ...input, callSpendCap: "0.50", destinationSpendCap: "2.00" };
  expect(changed.data).toMatchObject(settings);
  expect((await scene.call(getSettings, { as: ada.token })).data).toMatchObject(settings);
  const lifted = await scene.call(changeSettings, { as: ada.token, body: { callSpendCap: null, callingHours: null } });
  expect(lifted.data).toMatchObject({ callSpendCap: null, destinationSpendCap: "2.00", callingHours: null });
});

test("an owner sets how many days recordings and transcripts are kept, independently", async () => {
  const ada = await scene.signUp();
  const change = async (retentionDays: object | null) =>
    (await scene.call(changeSettings, { as: ada.token, body: { retentionDays } })).data.retentionDays;
  const month = { recordings: 30, transcripts: null };
  const year = { recordings: 30, transcripts: 365 };
  expect(await change(month)).toEqual({ ...month, calls: null });
  expect(await change(year)).toEqual({ ...year, calls: null });
  const lasting = await scene.call(changeSettings, { as: ada.token, body: { dailySpendCap: "1" } });
  expect(lasting.data.retentionDays).toEqual({ ...year, calls: null });
  expect(await change(null)).toBeNull();
});

test("an owner sets how many days calls are kept, and it stays when only recordings and transcripts are mentioned", async () => {
  const ada = await scene.signUp();
  const change = async (retentionDays: object | null) =>
    (await scene.call(changeSettings, { as: ada.token, body: { retentionDays } })).data.retentionDays;
  const forever = { recordings: null, transcripts: null };
  expect(await change({ ...forever, calls: 90 })).toEqual({ ...forever, calls: 90 });
  expect(await change({ recordings: 7, transcripts: 7 })).toEqual({ recordings: 7, transcripts: 7, calls: 90 });
  expect(await change({ ...forever, calls: null })).toBeNull();
  await change({ ...forever, calls: 90 });
  expect(await change(null)).toBeNull();
});

test("an owner lists how words are said, and the list stays until it is changed", async () => {
  const ada = await scene.signUp();
  const list = [
    { written: "Siobhan", spoken: "/ʃɪˈvɔn/" },
    { written: "Acme Corp.", spoken: "ack-mee" },
  ];
  const change = async (body: object) =>
    (await scene.call(changeSettings, { as: ada.token, body })).data.pronunciations;
  expect(await change({ pronunciations: list })).toEqual(list);
  expect(await change({ dailySpendCap: "1" })).toEqual(list);
  expect((await scene.call(getSettings, { as: ada.token })).data.pronunciations).toEqual(list);
  expect(await change({ pronunciations: [] })).toEqual([]);
});

test("an owner says in what words agents tell that a machine speaks, and takes them back", async () => {
  const ada = await scene.signUp();
  const change = async (disclosure: string | null) =>
    (await scene.call(changeSettings, { as: ada.token, body: { disclosure } })).data.disclosure;
  expect(await change(" A machine calls you 🤖. ")).toBe("A machine calls you 🤖.");
  const lasting = await scene.call(changeSettings, { as: ada.token, body: { dailySpendCap: "1" } });
  expect(lasting.data.disclosure).toBe("A machine calls you 🤖.");
  expect(await change(null)).toBeNull();
});

test.each([
  {},
  { callingHours: { start: "18:00", end: "09:00" } },
  { creditLowAt: null },
  { dailySpendCap: "-1" },
  { dailySpendCap: 5 },
  { spendCap: "5" },
  { retentionDays: { recordings: 0, transcripts: null } },
  { retentionDays: { recordings: 30 } },
  { retentionDays: { recordings: null, transcripts: null, calls: 29 } },
  { disclosure: "  " },
  { disclosure: "Hello {{name}}, a machine calls." },
  { disclosure: "x".repeat(501) },
  { pronunciations: [{ written: "Ada", spoken: "" }] },
  { pronunciations: [{ written: "Ada", spoken: "/ʃ/" }] },
  { pronunciations: [{ written: "Ada", spoken: "A-7-da" }] },
  { pronunciations: [{ written: "<b>", spoken: "bee" }] },
  {
    pronunciations: [
      { written: "Ada", spoken: "ay-da" },
      { written: "ADA", spoken: "ah-da" },
    ],
  },
  { pronunciations: Array.from({ length: 201 }, (_, index) => ({ written: `word${index}`, spoken: "word" })) },
])("malformed settings are rejected: %j", async (body) => {
  const ada = await scene.signUp();
  const reply = await scene.call(changeSettings, { as: ada.token, body });
  expect([reply.status, reply.code]).toEqual([422, "validation_failed"]);
});

test("settings are for owners, and another site cannot change them", async () => {
  const ada = await scene.signUp();
  const mia = await scene.join(ada.token);
  expect((await scene.call(getSettings, { as: mia.token })).code).toBe("not_allowed");
  const body = { dailySpendCap: "1" };
  expect((await scene.call(changeSettings, { as: mia.token, body })).code).toBe("not_allowed");
  expect((await scene.call(changeSettings, { as: ada.token, body, origin: null })).code).toBe("cross_site");
  expect((await scene.call(getSettings)).code).toBe("missing_api_key");
});

test("the operator sees all accounts, newest first, page by page", async () => {
  const ada = await scene.signUp();
  const first = await scene.call(listOperatorAccounts, { as: operatorToken, query: { limit: "1" } });
  expect(first.items).toMatchObject([
    { id: ada.me.account.id, balance: "10.00", concurrencyMax: 20, callsPerSecond: 2, queuedMax: 10_000 },
  ]);
  const names: string[] = [];
  for (let cursor = first.nextCursor; cursor; ) {
    const page = await scene.call(listOperatorAccounts, { as: operatorToken, query: { limit: "2", cursor } });
    names.push(...page.items.map((account) => account.name));
    cursor = page.nextCursor;
  }
  expect(names.at(-1)).toBe("First account");
});

test("the operator changes an account's limits in both modes, and the account's own audit log records it", async () => {
  const ada = await scene.signUp();
  const params = { id: ada.me.account.id };
  const body = { concurrencyMax: 3, callsPerSecond: 0.5 };
  const reply = await scene.call(changeOperatorAccount, { as: operatorToken, params, body });
  expect(reply.data).toMatchObject({ concurrencyMax: 3, callsPerSecond: 0.5, queuedMax: 10_000 });
  const lanes = await scene.deps.db
    .selectFrom("dispatch_lanes")
    .select(["concurrency_max", "calls_per_second", "queued_max"])
    .where("account_id", "=", ada.me.account.id)
    .execute();
  expect(lanes).toEqual(Array(2).fill({ concurrency_max: 3, calls_per_second: 0.5, queued_max: 10_000 }));
  const [entry] = (await scene.call(listAudit, { as: ada.token })).items;
  expect(entry).toMatchObject({
    action: "limits.changed",
    data: { from: { concurrencyMax: 20 }, to: { concurrencyMax: 3, callsPerSecond: 0.5 } },
  });
});

test("an account that does not exist, and limits that make no sense, are refused", async () => {
  const ada = await scene.signUp();
  const body = { concurrencyMax: 3 };
  const unknown = await scene.call(changeOperatorAccount, { as: operatorToken, params: { id: "acc_0" }, body });
  expect([unknown.status, unknown.code]).toEqual([404, "not_found"]);
  for (const wrong of [{}, { concurrencyMax: -1 }, { callsPerSecond: 0 }, { queuedMax: 1.5 }]) {
    const reply = await scene.call(changeOperatorAccount, {
      as: operatorToken,
      params: { id: ada.me.account.id },
      body: wrong,
    });
    expect([reply.status, reply.code]).toEqual([422, "validation_failed"]);
  }
});

test("an owner is not an operator", async () => {
  const ada = await scene.signUp();
  const params = { id: ada.me.account.id };
  const list = await scene.call(listOperatorAccounts, { as: ada.token });
  const change = await scene.call(changeOperatorAccount, { as: ada.token, params, body: { concurrencyMax: 9999 } });
  for (const reply of [list, change]) expect([reply.status, reply.code]).toEqual([403, "not_allowed"]);
});
