import {
  checkLink,
  claimAccount,
  getMe,
  inviteMember,
  listMembers,
  resetPassword,
  signIn,
} from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createAccount } from "../create-account.ts";
import { createResetLink } from "../passwords.ts";
import { type AccountScene, nextEmail, nextIp, openAccountScene, PASSWORD, tokenIn } from "../testing/account-scene.ts";

let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterAll(() => scene.close());

const NEW_PASSWORD = "a quite different phrase";

async function invite(): Promise<{ email: string; token: string; owner: string; url: string }> {
  const ada = await scene.signUp();
  const email = nextEmail();
  const { data } = await scene.call(inviteMember, { as: ada.token, body: { email } });
  return { email, token: tokenIn(data.inviteUrl), owner: ada.token, url: data.inviteUrl };
}

async function ageLink(token: string, hours: number): Promise<void> {
  await run(
    scene.deps.db,
    "update links set expires_at = expires_at - make_interval(hours => $2::int) where token_digest = $1",
    [scene.deps.secrets.digest(token), hours],
  );
}

async function resetLinkFor(email: string): Promise<string> {
  return tokenIn((await createResetLink(scene.deps, email)) ?? "");
}

test("an invitation is accepted with a password alone, and signs the member in under the invited e-mail", async () => {
  const { email, token, owner } = await invite();
  const reply = await scene.call(claimAccount, { body: { token, password: PASSWORD }, ip: nextIp() });
  expect(reply.data.member).toMatchObject({ email, role: "member", isOperator: false });
  expect((await scene.call(getMe, { as: reply.token })).data).toEqual(reply.data);
  const members = (await scene.call(listMembers, { as: owner })).items;
  expect(members.map((member) => member.status)).toEqual(["active", "active"]);
});

test("an invitation cannot be carried to another e-mail, but naming the same one does no harm", async () => {
  const { email, token } = await invite();
  const other = await scene.call(claimAccount, { body: { token, email: nextEmail(), password: PASSWORD } });
  expect([other.status, other.error.param, other.error.details?.[0]?.code]).toEqual([422, "email", "not_changeable"]);
  const same = await scene.call(claimAccount, { body: { token, email, password: PASSWORD }, ip: nextIp() });
  expect(same.status).toBe(200);
});

test("a link works once, even when it is used ten times concurrently", async () => {
  const { token } = await invite();
  const use = () => scene.call(claimAccount, { body: { token, password: PASSWORD }, ip: nextIp() });
  const replies = await Promise.all(Array.from({ length: 10 }, use));
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  expect(replies.filter((reply) => reply.status === 404 && reply.code === "not_found")).toHaveLength(9);
  expect((await use()).status).toBe(404);
});

test("a link that was refused because of a weak password can still be used", async () => {
  const { token } = await invite();
  const weak = await scene.call(claimAccount, { body: { token, password: "password1234" }, ip: nextIp() });
  expect([weak.status, weak.error.param]).toEqual([422, "password"]);
  const good = await scene.call(claimAccount, { body: { token, password: PASSWORD }, ip: nextIp() });
  expect(good.status).toBe(200);
});

test("an invitation lasts seven days", async () => {
  const fresh = await invite();
  await ageLink(fresh.token, 7 * 24 - 1);
  expect((await scene.call(claimAccount, { body: { token: fresh.token, password: PASSWORD } })).status).toBe(200);
  const late = await invite();
  await ageLink(late.token, 7 * 24);
  expect((await scene.call(claimAccount, { body: { token: late.token, password: PASSWORD } })).code).toBe("not_found");
});

test("a reset link is not an invitation and an invitation is not a reset link", async () => {
  const { token } = await invite();
  expect((await scene.call(resetPassword, { body: { token, password: PASSWORD } })).code).toBe("not_found");
  const reset = await resetLinkFor((await scene.signUp()).email);
  expect((await scene.call(claimAccount, { body: { token: reset, password: PASSWORD } })).code).toBe("not_found");
});

test("a link is checked without being used, and says what it is for", async () => {
  const { email, token } = await invite();
  const check = (link: string) => scene.call(checkLink, { body: { token: link }, ip: nextIp() });
  for (let i = 0; i < 3; i += 1) expect((await check(token)).data).toEqual({ kind: "invite", email });
  const ada = await scene.signUp();
  expect((await check(await resetLinkFor(ada.email))).data).toEqual({ kind: "reset", email: ada.email });
  expect((await scene.call(claimAccount, { body: { token, password: PASSWORD }, ip: nextIp() })).status).toBe(200);
  expect([(await check(token)).status, (await check(token)).code]).toEqual([404, "not_found"]);
  const late = await invite();
  await ageLink(late.token, 7 * 24);
  expect((await check(late.token)).code).toBe("not_found");
});

test("links cannot be guessed by checking them, and checking a good one does not count", async () => {
  const ip = nextIp();
  const { token } = await invite();
  const check = (link: string) => scene.call(checkLink, { body: { token: link }, ip });
  for (let i = 0; i < 99; i += 1) expect((await check(`lt_${"A".repeat(43)}`)).code).toBe("not_found");
  for (let i = 0; i < 3; i += 1) expect((await check(token)).status).toBe(200);
  expect((await check("nonsense")).code).toBe("not_found");
  expect([(await check(token)).status, (await check(token)).code]).toEqual([429, "too_many_attempts"]);
});

test("invented links are rejected and rate-limited", async () => {
  const ip = nextIp();
  const hashes = scene.hashCount();
  const guess = () => scene.call(claimAccount, { body: { token: `lt_${"A".repeat(43)}`, password: PASSWORD }, ip });
  for (let i = 0; i < 100; i += 1) expect((await guess()).code).toBe("not_found");
  expect([(await guess()).status, (await guess()).code]).toEqual([429, "too_many_attempts"]);
  const reset = await scene.call(resetPassword, { body: { token: "nonsense", password: PASSWORD }, ip });
  expect([reset.status, reset.code]).toEqual([429, "too_many_attempts"]);
  expect(scene.hashCount()).toBe(hashes);
});

test("asking for a reset gets the same answer for known and unknown people; only the known get mail", async () => {
  const ada = await scene.signUp();
  const known = await scene.call(resetPassword, { body: { email: ada.email.toUpperCase() }, ip: nextIp() });
  const unknown = await scene.call(resetPassword, { body: { email: nextEmail() }, ip: nextIp() });
  expect([known.status, known.text]).toEqual([200, unknown.text]);
  const mails = scene.mails.filter((mail) => mail.subject === "Set a new password");
  expect(mails.map((mail) => mail.to)).toEqual([ada.email]);
  const url = /http:\S+/.exec(mails[0]?.text ?? "")?.[0] ?? "";
  expect(url).toMatch(/^http:\/\/parley\.test\/reset\?token=lt_/);
  const reply = await scene.call(resetPassword, { body: { token: tokenIn(url), password: NEW_PASSWORD } });
  expect([reply.status, reply.data]).toEqual([200, {}]);
});

test("without a mail server a reset request is still answered, and creates no link", async () => {
  const silent = await openAccountScene(inject("postgresUrl"), { hasMail: false });
  try {
    const ada = await silent.signUp();
    expect((await silent.call(resetPassword, { body: { email: ada.email } })).status).toBe(200);
    expect(await silent.deps.db.selectFrom("links").selectAll().execute()).toEqual([]);
  } finally {
    await silent.close();
  }
});

test("a mailbox cannot be flooded with reset links", async () => {
  const { email } = await scene.signUp();
  const ask = () => scene.call(resetPassword, { body: { email }, ip: nextIp() });
  for (let i = 0; i < 5; i += 1) expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.code]).toEqual([429, "too_many_attempts"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(scene.mails.filter((mail) => mail.to === email)).toHaveLength(5);
});

test("a reset ends every sign-in and every other link, and the new password works", async () => {
  const ada = await scene.signUp();
  const [first, second] = [await resetLinkFor(ada.email), await resetLinkFor(ada.email)];
  const reply = await scene.call(resetPassword, { body: { token: first, password: NEW_PASSWORD }, ip: nextIp() });
  expect([reply.status, reply.token]).toEqual([200, ""]);
  expect((await scene.call(getMe, { as: ada.token })).status).toBe(401);
  expect((await scene.call(resetPassword, { body: { token: second, password: PASSWORD } })).code).toBe("not_found");
  const body = { email: ada.email, password: NEW_PASSWORD };
  expect((await scene.call(signIn, { body, ip: nextIp() })).status).toBe(200);
});

test("two reset links of one member used concurrently set one password", async () => {
  const ada = await scene.signUp();
  const links = [await resetLinkFor(ada.email), await resetLinkFor(ada.email)];
  const use = (token: string) => scene.call(resetPassword, { body: { token, password: NEW_PASSWORD }, ip: nextIp() });
  const statuses = (await Promise.all(links.map(use))).map((reply) => reply.status);
  expect(statuses.sort()).toEqual([200, 404]);
});

test("a member locked out by wrong guesses can sign in after a reset", async () => {
  const ada = await scene.signUp();
  const ip = nextIp();
  for (let i = 0; i < 6; i += 1) await scene.call(signIn, { body: { email: ada.email, password: "wrong" }, ip });
  await scene.call(resetPassword, { body: { token: await resetLinkFor(ada.email), password: NEW_PASSWORD }, ip });
  expect((await scene.call(signIn, { body: { email: ada.email, password: NEW_PASSWORD }, ip })).status).toBe(200);
});

test("a reset link lasts 24 hours", async () => {
  const ada = await scene.signUp();
  const token = await resetLinkFor(ada.email);
  await ageLink(token, 24);
  const reply = await scene.call(resetPassword, { body: { token, password: NEW_PASSWORD } });
  expect([reply.status, reply.code]).toEqual([404, "not_found"]);
});

test("the operator gets a reset link for an e-mail that is known, and none for another", async () => {
  const ada = await scene.signUp();
  expect(await createResetLink(scene.deps, ada.email.toUpperCase())).toMatch(
    /^http:\/\/parley\.test\/reset\?token=lt_/,
  );
  expect(await createResetLink(scene.deps, nextEmail())).toBeNull();
});

test("an invited person who has not joined gets no reset link, which would make them join unasked", async () => {
  const { email, token } = await invite();
  const asked = await scene.call(resetPassword, { body: { email }, ip: nextIp() });
  const unknown = await scene.call(resetPassword, { body: { email: nextEmail() }, ip: nextIp() });
  expect([asked.status, asked.text]).toEqual([200, unknown.text]);
  expect(await createResetLink(scene.deps, email)).toBeNull();
  expect(scene.mails.filter((mail) => mail.to === email && mail.subject === "Set a new password")).toEqual([]);
  await scene.call(claimAccount, { body: { token, password: PASSWORD }, ip: nextIp() });
  expect(await createResetLink(scene.deps, email)).not.toBeNull();
});

test("the owner of an account that an operator created gets a reset link before claiming it", async () => {
  const email = nextEmail();
  await inTransaction(scene.deps.db, (tx) =>
    createAccount(tx, scene.deps, { name: "Customer", email, passwordHash: null, isOperator: false }),
  );
  expect(await createResetLink(scene.deps, email)).not.toBeNull();
});

test("no token of a link or a cookie can be read in the database", async () => {
  const { token } = await invite();
  const ada = await scene.signUp();
  const [row] = await run<{ text: string }>(
    scene.deps.db,
    `select (select json_agg(l) from links l)::text || (select json_agg(s) from sign_ins s)::text
       || (select json_agg(a) from audit_log a)::text as text`,
  );
  for (const secret of [token, ada.token]) expect(row?.text).not.toContain(secret.slice(3));
});

test.each([
  [claimAccount, {}],
  [claimAccount, { token: "x", password: PASSWORD, role: "owner" }],
  [checkLink, {}],
  [resetPassword, {}],
  [resetPassword, { email: "a@example.com", token: "x", password: PASSWORD }],
])("a malformed request is rejected: %#", async (route, body) => {
  const reply = await scene.call(route, { body });
  expect([reply.status, reply.code]).toEqual([422, "validation_failed"]);
});

test("another site can neither claim nor reset, nor check a link", async () => {
  const { token } = await invite();
  const origin = "https://evil.example";
  expect((await scene.call(checkLink, { body: { token }, origin })).code).toBe("cross_site");
  expect((await scene.call(claimAccount, { body: { token, password: PASSWORD }, origin })).code).toBe("cross_site");
  expect((await scene.call(resetPassword, { body: { token, password: PASSWORD }, origin })).code).toBe("cross_site");
});
