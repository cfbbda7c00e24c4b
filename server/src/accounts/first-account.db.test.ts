import { claimAccount, getMe, listApiKeys } from "@parley/contract/routes/members";
import { SCOPES } from "@parley/contract/scopes";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { inTransaction, run } from "../platform/database/database.ts";
import { addClaimLink, createAccount, ensureFirstAccount } from "./create-account.ts";
import { type AccountScene, nextEmail, openAccountScene, PASSWORD, tokenIn } from "./testing/account-scene.ts";

let scene: AccountScene;
beforeEach(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterEach(() => scene.close());

test("five processes that start together on an empty database create one account, and one reports it", async () => {
  const sampled: string[] = [];
  const deps = { ...scene.deps, addSampleAgents: async (_tx: unknown, id: string) => void sampled.push(id) };
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => ensureFirstAccount(deps)));
  const told = outcomes.filter((outcome) => outcome !== null);
  expect(told).toHaveLength(1);
  expect(told[0]?.claimUrl).toMatch(/^http:\/\/parley\.test\/claim\?token=lt_[\w-]{43}$/);
  const accounts = await scene.deps.db.selectFrom("accounts").select(["id", "name"]).execute();
  expect(accounts).toEqual([{ id: sampled[0], name: "First account" }]);
  expect(sampled).toHaveLength(1);
  const balances = await scene.deps.db.selectFrom("account_balances").selectAll().execute();
  expect(balances).toEqual([
    { account_id: sampled[0], available_micros: 10_000_000n, held_micros: 0n, was_low_told: false },
  ]);
  expect(await ensureFirstAccount(deps)).toBeNull();
});

test("the first key works immediately, for tests, with every scope", async () => {
  const first = await ensureFirstAccount(scene.deps);
  expect(first?.apiKey).toMatch(/^svc_test_/);
  const known = await scene.lookup.findKey(first?.apiKey ?? "");
  expect(known?.actor.mode).toBe("test");
  expect([...(known?.actor.scopes ?? [])]).toEqual(SCOPES);
  expect(await scene.deps.db.selectFrom("api_keys").select("name").execute()).toEqual([{ name: "First key" }]);
});

test("the person who claims the first account gives an e-mail and becomes its owner and the operator", async () => {
  const token = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  const without = await scene.call(claimAccount, { body: { token, password: PASSWORD } });
  expect([without.status, without.error.param, without.error.details?.[0]?.code]).toEqual([422, "email", "required"]);
  const reply = await scene.call(claimAccount, { body: { token, email: "Ada@Example.com", password: PASSWORD } });
  expect(reply.data).toMatchObject({
    member: { email: "ada@example.com", role: "owner", isOperator: true },
    account: { name: "First account" },
  });
  expect((await scene.call(getMe, { as: reply.token })).status).toBe(200);
  const again = await scene.call(claimAccount, { body: { token, email: nextEmail(), password: PASSWORD } });
  expect([again.status, again.code]).toEqual([404, "not_found"]);
});

test("the first key is listed as created by no member", async () => {
  const token = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  const reply = await scene.call(claimAccount, { body: { token, email: nextEmail(), password: PASSWORD } });
  const keys = (await scene.call(listApiKeys, { as: reply.token })).items;
  expect(keys).toMatchObject([{ name: "First key", createdBy: null }]);
});

test("of two people who claim the first account concurrently one gets it", async () => {
  const token = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  const claim = (email: string) => scene.call(claimAccount, { body: { token, email, password: PASSWORD } });
  const replies = await Promise.all([claim(nextEmail()), claim(nextEmail())]);
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, 404]);
});

test("claiming with an e-mail that has an account is refused, and the link can still be used", async () => {
  const token = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  const { email } = await scene.signUp();
  const taken = await scene.call(claimAccount, { body: { token, email, password: PASSWORD } });
  expect([taken.status, taken.error.param]).toEqual([422, "email"]);
  const good = await scene.call(claimAccount, { body: { token, email: nextEmail(), password: PASSWORD } });
  expect(good.status).toBe(200);
});

test("the claim link does not expire, and a lost one can be replaced until the account is claimed", async () => {
  const first = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  await run(scene.deps.db, "update links set created_at = created_at - interval '10 years'");
  const added = tokenIn((await addClaimLink(scene.deps)) ?? "");
  expect(added).not.toBe(first);
  const links = await run<{ endless: boolean }>(
    scene.deps.db,
    "select expires_at = 'infinity' as endless from links where used_at is null",
  );
  expect(links).toEqual([{ endless: true }, { endless: true }]);
  const claim = (token: string) =>
    scene.call(claimAccount, { body: { token, email: nextEmail(), password: PASSWORD } });
  expect((await claim(first)).status).toBe(200);
  expect((await claim(added)).code).toBe("not_found");
  expect(await addClaimLink(scene.deps)).toBeNull();
});

test("an installation that has an account gets no first one", async () => {
  await scene.signUp();
  expect(await ensureFirstAccount(scene.deps)).toBeNull();
  expect(await addClaimLink(scene.deps)).toBeNull();
});

async function makeUnclaimedAccount(): Promise<string> {
  const { memberId } = await inTransaction(scene.deps.db, (tx) =>
    createAccount(tx, scene.deps, { name: "Customer", email: null, passwordHash: null, isOperator: false }),
  );
  return memberId;
}

test("a claimed installation creates no claim link for a customer's unclaimed account", async () => {
  const token = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  await scene.call(claimAccount, { body: { token, email: nextEmail(), password: PASSWORD } });
  const customer = await makeUnclaimedAccount();
  expect(await addClaimLink(scene.deps)).toBeNull();
  expect(await run(scene.deps.db, "select id from links where member_id = $1", [customer])).toEqual([]);
});

test("while the first account is unclaimed a further link is to that one, however old another is", async () => {
  await ensureFirstAccount(scene.deps);
  const customer = await makeUnclaimedAccount();
  await run(scene.deps.db, "update members set created_at = created_at - interval '1 day' where id = $1", [customer]);
  const token = tokenIn((await addClaimLink(scene.deps)) ?? "");
  const reply = await scene.call(claimAccount, { body: { token, email: nextEmail(), password: PASSWORD } });
  expect(reply.data).toMatchObject({ member: { isOperator: true }, account: { name: "First account" } });
});

test("no claim link is created once another operator has a password", async () => {
  await ensureFirstAccount(scene.deps);
  const { email } = await scene.signUp();
  await run(scene.deps.db, "update members set is_operator = true where email = $1", [email]);
  expect(await addClaimLink(scene.deps)).toBeNull();
});
