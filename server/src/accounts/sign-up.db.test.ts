import { getMe, listAudit, listMembers, signUp } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../platform/database/database.ts";
import { signUp as signUpStranger } from "./sign-up.ts";
import { type AccountScene, nextEmail, nextIp, openAccountScene, PASSWORD } from "./testing/account-scene.ts";

let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterAll(() => scene.close());

async function countAccounts(): Promise<number> {
  const [row] = await run<{ count: bigint }>(scene.deps.db, "select count(*) as count from accounts");
  return Number(row?.count);
}

test("signing up creates an account, makes the member its owner and signs them in", async () => {
  const reply = await scene.call(signUp, {
    body: { email: "Ada@Example.com", password: PASSWORD, accountName: "Analytical Engines" },
  });
  expect(reply.data).toMatchObject({
    member: { email: "ada@example.com", role: "owner", isOperator: false },
    account: { name: "Analytical Engines" },
  });
  expect((await scene.call(getMe, { as: reply.token })).data).toEqual(reply.data);
  expect((await scene.call(listMembers, { as: reply.token })).items).toMatchObject([{ status: "active" }]);
  const actions = (await scene.call(listAudit, { as: reply.token })).items.map((entry) => entry.action);
  expect(actions).toEqual(["sign_in.succeeded", "account.created"]);
});

test("a new account has exactly 10.000000 USD, in the ledger and in the balance, and a lane for each mode", async () => {
  const { me } = await scene.signUp();
  const { db } = scene.deps;
  const balances = await db
    .selectFrom("account_balances")
    .select(["available_micros", "held_micros"])
    .where("account_id", "=", me.account.id)
    .execute();
  expect(balances).toEqual([{ available_micros: 10_000_000n, held_micros: 0n }]);
  const transfers = await db
    .selectFrom("ledger_transfers")
    .select(["kind", "available_micros", "held_micros", "earned_micros", "funded_micros"])
    .where("account_id", "=", me.account.id)
    .execute();
  expect(transfers).toEqual([
    {
      kind: "sign_up_credit",
      available_micros: 10_000_000n,
      held_micros: 0n,
      earned_micros: 0n,
      funded_micros: -10_000_000n,
    },
  ]);
  const lanes = await db
    .selectFrom("dispatch_lanes")
    .select(["mode", "concurrency_max"])
    .where("account_id", "=", me.account.id)
    .orderBy("mode")
    .execute();
  expect(lanes).toEqual([
    { mode: "live", concurrency_max: 20 },
    { mode: "test", concurrency_max: 20 },
  ]);
});

test("an e-mail has one account, even when it signs up ten times concurrently", async () => {
  const before = await countAccounts();
  const body = { email: nextEmail(), password: PASSWORD };
  const replies = await Promise.all(Array.from({ length: 10 }, () => scene.call(signUp, { body, ip: nextIp() })));
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  for (const reply of replies.filter((each) => each.status !== 200)) {
    expect([reply.status, reply.code, reply.error.param, reply.token]).toEqual([422, "validation_failed", "email", ""]);
  }
  expect(await countAccounts()).toBe(before + 1);
});

test("nothing of an account remains when its sample agents cannot be created", async () => {
  const before = await countAccounts();
  const deps = {
    ...scene.deps,
    addSampleAgents: async () => {
      throw new Error("no agents today");
    },
  };
  const input = { email: nextEmail(), password: PASSWORD };
  await expect(signUpStranger(deps, input, { ip: nextIp(), client: null })).rejects.toThrow("no agents today");
  expect(await countAccounts()).toBe(before);
});

test.each([
  ["email", { email: "not an e-mail" }],
  ["password", { password: "short" }],
  ["password", { password: "Password1234" }],
  ["password", { password: "grace.hopper1234" }],
  ["accountName", { accountName: " " }],
  ["isOperator", { isOperator: true }],
])("a sign-up with a wrong %s is refused", async (param, wrong) => {
  const body = { email: "grace.hopper@example.com", password: PASSWORD, ...wrong };
  const reply = await scene.call(signUp, { body });
  expect([reply.status, reply.code, reply.error.param]).toEqual([422, "validation_failed", param]);
});

test("one address cannot sign up without end, so that free credit and taken e-mails are not found out in bulk", async () => {
  const ip = nextIp();
  const body = { email: (await scene.signUp()).email, password: PASSWORD };
  const codes: (string | null)[] = [];
  for (let i = 0; i < 51; i += 1) codes.push((await scene.call(signUp, { body, ip })).code);
  expect(codes.slice(0, 50)).toEqual(Array(50).fill("validation_failed"));
  const refused = await scene.call(signUp, { body: { ...body, email: nextEmail() }, ip });
  expect([refused.status, refused.code]).toEqual([429, "too_many_attempts"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3500);
});

test("another site cannot sign anyone up", async () => {
  const body = { email: nextEmail(), password: PASSWORD };
  const reply = await scene.call(signUp, { body, origin: "https://evil.example" });
  expect([reply.status, reply.code]).toEqual([403, "cross_site"]);
});

test("an installation with closed sign-up says so, whatever is sent", async () => {
  const closed = await openAccountScene(inject("postgresUrl"), { signUp: "closed" });
  try {
    const reply = await closed.call(signUp, { body: { email: nextEmail(), password: PASSWORD } });
    expect([reply.status, reply.code]).toEqual([403, "sign_up_closed"]);
    expect(closed.hashCount()).toBe(0);
  } finally {
    await closed.close();
  }
});
