import {
  changeMember,
  changeOperatorAccount,
  claimAccount,
  createApiKey,
  getMe,
  inviteMember,
  listApiKeys,
  listAudit,
  listMembers,
  removeMember,
  signIn,
} from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ensureFirstAccount } from "./create-account.ts";
import { type AccountScene, nextEmail, nextIp, openAccountScene, PASSWORD, tokenIn } from "./testing/account-scene.ts";

let scene: AccountScene;
let operatorToken: string;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
  const token = tokenIn((await ensureFirstAccount(scene.deps))?.claimUrl ?? "");
  const body = { token, email: "operator@example.com", password: PASSWORD };
  operatorToken = (await scene.call(claimAccount, { body })).token;
});
afterAll(() => scene.close());

test("an invitation returns a link, and is mailed, listed and audited", async () => {
  const ada = await scene.signUp();
  const email = nextEmail();
  const { data } = await scene.call(inviteMember, {
    as: ada.token,
    body: { email: email.toUpperCase(), role: "owner" },
  });
  expect(data).toMatchObject({ email, role: "owner", status: "invited", isOperator: false, isMailed: true });
  expect(data.inviteUrl).toMatch(/^http:\/\/parley\.test\/claim\?token=lt_[\w-]+&invited=yes$/);
  expect(scene.mails.find((mail) => mail.to === email)?.text).toContain(data.inviteUrl);
  const list = await scene.call(listMembers, { as: ada.token });
  expect(list.items).toMatchObject([
    { email: ada.email, status: "active" },
    { email, status: "invited" },
  ]);
  expect(list.text).not.toContain("lt_");
  const [entry] = (await scene.call(listAudit, { as: ada.token })).items;
  expect(entry).toMatchObject({ action: "member.invited", actor: ada.me.member.id, target: data.id, data: { email } });
});

test("an e-mail that belongs to a member or an invitation, here or elsewhere, cannot be invited", async () => {
  const [ada, bob] = [await scene.signUp(), await scene.signUp()];
  for (const email of [ada.email, bob.email]) {
    const reply = await scene.call(inviteMember, { as: ada.token, body: { email } });
    expect([reply.status, reply.code]).toEqual([409, "invalid_state"]);
  }
});

test("an account that invites too many people still gets links, but mail is no longer sent", async () => {
  const ada = await scene.signUp();
  const before = scene.mails.length;
  for (let i = 0; i < 22; i += 1) {
    const reply = await scene.call(inviteMember, { as: ada.token, body: { email: nextEmail() } });
    expect(reply.data.inviteUrl).toContain("token=lt_");
    expect(reply.data.isMailed).toBe(i < 20);
  }
  expect(scene.mails.length - before).toBe(20);
});

test("only owners see and change the members of the account", async () => {
  const ada = await scene.signUp();
  const mia = await scene.join(ada.token);
  for (const reply of [
    await scene.call(listMembers, { as: mia.token }),
    await scene.call(inviteMember, { as: mia.token, body: { email: nextEmail() } }),
    await scene.call(changeMember, { as: mia.token, params: { id: mia.me.member.id }, body: { role: "owner" } }),
    await scene.call(removeMember, { as: mia.token, params: { id: ada.me.member.id } }),
    await scene.call(listAudit, { as: mia.token }),
  ]) {
    expect([reply.status, reply.code]).toEqual([403, "not_allowed"]);
  }
});

test("a role change takes effect with the next request, in both directions", async () => {
  const ada = await scene.signUp();
  const mia = await scene.join(ada.token);
  const change = (role: "owner" | "member") =>
    scene.call(changeMember, { as: ada.token, params: { id: mia.me.member.id }, body: { role } });
  const raised = await change("owner");
  expect([raised.status, raised.data.role, raised.data.email]).toEqual([200, "owner", mia.email]);
  expect((await scene.call(listMembers, { as: mia.token })).status).toBe(200);
  // A change to the current role does nothing and is not audited.
  await change("owner");
  await change("member");
  expect((await scene.call(listMembers, { as: mia.token })).status).toBe(403);
  const { items } = await scene.call(listAudit, { as: ada.token, query: { action: "member.role_changed" } });
  expect(items.map(({ data, actorName }) => ({ ...data, actorName }))).toEqual([
    { email: mia.email, from: "owner", to: "member", actorName: ada.email },
    { email: mia.email, from: "member", to: "owner", actorName: ada.email },
  ]);
});

test("members cannot change their own role, and of two owners who demote each other one stays an owner", async () => {
  for (let round = 0; round < 5; round += 1) {
    const ada = await scene.signUp();
    const bob = await scene.join(ada.token, "owner");
    const [own, ...replies] = await Promise.all([
      scene.call(changeMember, { as: ada.token, params: { id: ada.me.member.id }, body: { role: "member" } }),
      scene.call(changeMember, { as: ada.token, params: { id: bob.me.member.id }, body: { role: "member" } }),
      scene.call(changeMember, { as: bob.token, params: { id: ada.me.member.id }, body: { role: "member" } }),
    ]);
    // The one demoted a moment earlier is refused as a member.
    expect([409, 403]).toContain(own?.status);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    const owners = await scene.deps.db
      .selectFrom("members")
      .select("id")
      .where("account_id", "=", ada.me.account.id)
      .where("role", "=", "owner")
      .execute();
    expect(owners).toHaveLength(1);
  }
});

test("a removed member is out with the next request, and cannot sign in again", async () => {
  const ada = await scene.signUp();
  const mia = await scene.join(ada.token);
  const reply = await scene.call(removeMember, { as: ada.token, params: { id: mia.me.member.id } });
  expect([reply.status, reply.data]).toEqual([200, {}]);
  expect((await scene.call(getMe, { as: mia.token })).code).toBe("not_signed_in");
  const again = await scene.call(signIn, { body: { email: mia.email, password: PASSWORD }, ip: nextIp() });
  expect(again.status).toBe(401);
  expect((await scene.call(removeMember, { as: ada.token, params: { id: mia.me.member.id } })).status).toBe(404);
});

test("the keys of a removed member keep working, without a name", async () => {
  const ada = await scene.signUp();
  const mia = await scene.join(ada.token);
  const { data } = await scene.call(createApiKey, { as: mia.token, body: { name: "hers", mode: "live" } });
  await scene.call(removeMember, { as: ada.token, params: { id: mia.me.member.id } });
  expect((await scene.call(listApiKeys, { as: ada.token })).items).toMatchObject([{ id: data.id, createdBy: null }]);
  expect((await scene.lookup.findKey(data.key))?.actor.keyId).toBe(data.id);
});

test("a withdrawn invitation cannot be accepted", async () => {
  const ada = await scene.signUp();
  const { data } = await scene.call(inviteMember, { as: ada.token, body: { email: nextEmail() } });
  await scene.call(removeMember, { as: ada.token, params: { id: data.id } });
  const reply = await scene.call(claimAccount, { body: { token: tokenIn(data.inviteUrl), password: PASSWORD } });
  expect([reply.status, reply.code]).toEqual([404, "not_found"]);
});

test("members cannot remove themselves, and an owner who is only invited does not count as remaining", async () => {
  const ada = await scene.signUp();
  await scene.call(inviteMember, { as: ada.token, body: { email: nextEmail(), role: "owner" } });
  const reply = await scene.call(removeMember, { as: ada.token, params: { id: ada.me.member.id } });
  expect([reply.status, reply.code]).toEqual([409, "invalid_state"]);
});

test("of two owners who remove each other concurrently one remains", async () => {
  for (let round = 0; round < 5; round += 1) {
    const ada = await scene.signUp();
    const bob = await scene.join(ada.token, "owner");
    const replies = await Promise.all([
      scene.call(removeMember, { as: ada.token, params: { id: bob.me.member.id } }),
      scene.call(removeMember, { as: bob.token, params: { id: ada.me.member.id } }),
    ]);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    const left = await scene.deps.db
      .selectFrom("members")
      .select("id")
      .where("account_id", "=", ada.me.account.id)
      .execute();
    expect(left).toHaveLength(1);
  }
});

test("the last operator of the installation cannot be removed by another owner", async () => {
  const bob = await scene.join(operatorToken, "owner");
  const operator = (await scene.call(getMe, { as: operatorToken })).data.member;
  const reply = await scene.call(removeMember, { as: bob.token, params: { id: operator.id } });
  expect([reply.status, reply.code]).toEqual([409, "invalid_state"]);
  expect((await scene.call(getMe, { as: operatorToken })).status).toBe(200);
});

test("another account's member is exactly as unknown as none", async () => {
  const [ada, bob] = [await scene.signUp(), await scene.signUp()];
  const theirs = await scene.call(removeMember, { as: ada.token, params: { id: bob.me.member.id } });
  const nobodys = await scene.call(removeMember, { as: ada.token, params: { id: "mem_0" } });
  expect([theirs.status, theirs.code, theirs.error.message]).toEqual([404, "not_found", nobodys.error.message]);
  expect((await scene.call(getMe, { as: bob.token })).status).toBe(200);
  const role = { body: { role: "member" } } as const;
  const changed = await scene.call(changeMember, { as: ada.token, params: { id: bob.me.member.id }, ...role });
  const unknown = await scene.call(changeMember, { as: ada.token, params: { id: "mem_0" }, ...role });
  expect([changed.status, changed.error.message]).toEqual([404, unknown.error.message]);
});

test("the audit log can be filtered by action, actor and time, and names actors who are still members", async () => {
  const ada = await scene.signUp();
  const mia = await scene.join(ada.token);
  // Filters count in milliseconds, and two requests may share one.
  const joinedMs = Date.now();
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(joinedMs);
  const startedAt = new Date().toISOString();
  const { data: key } = await scene.call(createApiKey, { as: mia.token, body: { name: "hers", mode: "test" } });
  const list = async (query: Record<string, string>) => (await scene.call(listAudit, { as: ada.token, query })).items;
  expect((await list({ action: "api_key" })).map(({ action, target }) => [action, target])).toEqual([
    ["api_key.created", key.id],
  ]);
  // Only whole words before the dot count.
  expect(await list({ action: "api" })).toEqual([]);
  const hers = await list({ actor: mia.me.member.id });
  expect(hers.map(({ action, actorName }) => [action, actorName])).toEqual([
    ["api_key.created", mia.email],
    ["member.joined", mia.email],
  ]);
  expect((await list({ createdAfter: startedAt })).map(({ action }) => action)).toEqual(["api_key.created"]);
  expect((await list({ createdBefore: startedAt, actor: mia.me.member.id })).map(({ action }) => action)).toEqual([
    "member.joined",
  ]);
  await scene.call(removeMember, { as: ada.token, params: { id: mia.me.member.id } });
  expect((await list({ actor: mia.me.member.id }))[0]?.actorName).toBeNull();
  const first = await scene.call(listAudit, { as: ada.token, query: { limit: "1", action: "member" } });
  const crossed = await scene.call(listAudit, { as: ada.token, query: { cursor: first.nextCursor ?? "" } });
  expect([crossed.status, crossed.error.param]).toEqual([422, "cursor"]);
});

test("an operator's action in an account names no member of another account", async () => {
  const ada = await scene.signUp();
  await scene.call(changeOperatorAccount, {
    as: operatorToken,
    params: { id: ada.me.account.id },
    body: { queuedMax: 77 },
  });
  const [entry] = (await scene.call(listAudit, { as: ada.token, query: { action: "limits.changed" } })).items;
  expect(entry).toMatchObject({ action: "limits.changed", actorName: null });
});

test("members are listed in the order they came, page by page; the audit log is newest first and one's own", async () => {
  const ada = await scene.signUp();
  for (let i = 0; i < 3; i += 1) await scene.call(inviteMember, { as: ada.token, body: { email: nextEmail() } });
  const first = await scene.call(listMembers, { as: ada.token, query: { limit: "3" } });
  const rest = await scene.call(listMembers, { as: ada.token, query: { limit: "3", cursor: first.nextCursor ?? "" } });
  expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([3, 1, null]);
  expect(first.items[0]?.email).toBe(ada.email);
  const page = await scene.call(listAudit, { as: ada.token, query: { limit: "3" } });
  const older = await scene.call(listAudit, { as: ada.token, query: { limit: "3", cursor: page.nextCursor ?? "" } });
  expect([...page.items, ...older.items].map((entry) => entry.action)).toEqual([
    "member.invited",
    "member.invited",
    "member.invited",
    "sign_in.succeeded",
    "account.created",
  ]);
  const crossed = await scene.call(listAudit, { as: ada.token, query: { cursor: first.nextCursor ?? "" } });
  expect([crossed.status, crossed.error.param]).toEqual([422, "cursor"]);
});
