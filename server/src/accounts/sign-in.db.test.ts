import { changePassword, getMe, inviteMember, listAudit, signIn, signOut } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../database/database.ts";
import { createSignInFinder } from "./find-sign-in.ts";
import { createPasswordHasher } from "./password-hash.ts";
import { type AccountScene, nextEmail, nextIp, openAccountScene, PASSWORD } from "./testing/account-scene.ts";

let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterAll(() => scene.close());

/** Makes all that was counted older, as if this much time had passed. */
async function letMinutesPass(minutes: number): Promise<void> {
  await run(scene.deps.db, "update failed_attempts set window_start = window_start - make_interval(mins => $1::int)", [
    minutes,
  ]);
}

test("the right e-mail, in any case, and password sign a member in", async () => {
  const ada = await scene.signUp();
  const reply = await scene.call(signIn, {
    body: { email: ada.email.toUpperCase(), password: PASSWORD },
    ip: nextIp(),
  });
  expect(reply.data).toEqual(ada.me);
  expect(reply.token).not.toBe(ada.token);
  expect((await scene.call(getMe, { as: reply.token })).data).toEqual(ada.me);
  expect((await scene.call(getMe, { as: ada.token })).status).toBe(200);
});

test("over https, with real hashes, the cookie is bound to the host, hidden from scripts and not sent by other sites", async () => {
  const secure = await openAccountScene(inject("postgresUrl"), {
    publicUrl: "https://parley.test",
    hasher: createPasswordHasher(),
  });
  try {
    const ada = await secure.signUp();
    const reply = await secure.call(signIn, { body: { email: ada.email, password: PASSWORD } });
    expect(reply.headers["set-cookie"]).toBe(
      `__Host-parley=${reply.token}; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure`,
    );
    expect((await secure.call(getMe, { as: reply.token })).status).toBe(200);
    expect((await secure.call(signIn, { body: { email: ada.email, password: `${PASSWORD}.` } })).status).toBe(401);
  } finally {
    await secure.close();
  }
});

test("an unknown e-mail and a wrong password get the same answer after the same work", async () => {
  const ada = await scene.signUp();
  const start = scene.hashCount();
  const wrong = await scene.call(signIn, { body: { email: ada.email, password: "not the password" }, ip: nextIp() });
  const afterWrong = scene.hashCount();
  const unknown = await scene.call(signIn, {
    body: { email: nextEmail(), password: "not the password" },
    ip: nextIp(),
  });
  const afterUnknown = scene.hashCount();
  expect([afterWrong - start, afterUnknown - afterWrong]).toEqual([1, 1]);
  expect([wrong.status, wrong.code, wrong.error.message]).toEqual([401, "not_signed_in", unknown.error.message]);
  expect([unknown.status, unknown.code]).toEqual([401, "not_signed_in"]);
  expect([wrong.token, unknown.token]).toEqual(["", ""]);
});

test("a member who was invited and has no password yet cannot sign in, and nobody can tell", async () => {
  const ada = await scene.signUp();
  const email = nextEmail();
  await scene.call(inviteMember, { as: ada.token, body: { email } });
  const start = scene.hashCount();
  const reply = await scene.call(signIn, { body: { email, password: "anything at all" }, ip: nextIp() });
  expect([reply.status, reply.code, scene.hashCount() - start]).toEqual([401, "not_signed_in", 1]);
});

test("sign-ins that succeeded and that failed are in the account's audit log with their address", async () => {
  const ada = await scene.signUp();
  const ip = nextIp();
  await scene.call(signIn, { body: { email: ada.email, password: "not the password" }, ip });
  await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip });
  const [ok, failed] = (await scene.call(listAudit, { as: ada.token })).items;
  expect(ok).toMatchObject({ action: "sign_in.succeeded", actor: ada.me.member.id, ip });
  expect(failed).toMatchObject({ action: "sign_in.failed", actor: "service", target: ada.me.member.id, ip });
});

test("after five failures from one address that address waits 15 minutes for that e-mail; elsewhere one can sign in", async () => {
  const ada = await scene.signUp();
  const ip = nextIp();
  for (let i = 0; i < 5; i += 1) {
    expect((await scene.call(signIn, { body: { email: ada.email, password: "wrong" }, ip })).status).toBe(401);
  }
  const hashes = scene.hashCount();
  const refused = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip });
  expect([refused.status, refused.code]).toEqual([429, "too_many_attempts"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(880);
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(900);
  expect(scene.hashCount()).toBe(hashes);
  expect((await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() })).status).toBe(200);
  await letMinutesPass(15);
  expect((await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip })).status).toBe(200);
});

test("a hundred guesses at the same moment are five guesses", async () => {
  const ada = await scene.signUp();
  const ip = nextIp();
  const hashes = scene.hashCount();
  const guess = (i: number) => scene.call(signIn, { body: { email: ada.email, password: `guess ${i}` }, ip });
  const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => guess(i)));
  expect(replies.filter((reply) => reply.status === 401)).toHaveLength(5);
  expect(replies.filter((reply) => reply.status === 429)).toHaveLength(95);
  expect(scene.hashCount() - hashes).toBe(5);
});

test("signing in forgets the failures before it, so an honest typist is never locked out", async () => {
  const ada = await scene.signUp();
  const ip = nextIp();
  for (let round = 0; round < 4; round += 1) {
    for (let i = 0; i < 4; i += 1) {
      expect((await scene.call(signIn, { body: { email: ada.email, password: "typo" }, ip })).status).toBe(401);
    }
    expect((await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip })).status).toBe(200);
  }
});

test("twenty failures in an hour close an e-mail to all addresses, known or not", async () => {
  for (const email of [(await scene.signUp()).email, nextEmail()]) {
    for (let i = 0; i < 20; i += 1) {
      expect((await scene.call(signIn, { body: { email, password: "wrong" }, ip: nextIp() })).status).toBe(401);
    }
    const reply = await scene.call(signIn, { body: { email, password: PASSWORD }, ip: nextIp() });
    expect([reply.status, reply.code]).toEqual([429, "too_many_attempts"]);
  }
});

test("a hundred failures in an hour close an address to all e-mails", async () => {
  const ip = nextIp();
  const guess = () => scene.call(signIn, { body: { email: nextEmail(), password: "wrong" }, ip });
  for (let i = 0; i < 10; i += 1) await Promise.all(Array.from({ length: 10 }, guess));
  expect([(await guess()).code, (await guess()).status]).toEqual(["too_many_attempts", 429]);
  await letMinutesPass(60);
  expect((await guess()).status).toBe(401);
});

test("a sign-in that succeeds does not use up the limits of its e-mail and address", async () => {
  const ada = await scene.signUp();
  const ip = nextIp();
  for (let i = 0; i < 25; i += 1) {
    expect((await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip })).status).toBe(200);
  }
});

test.each([
  {},
  { email: "a@example.com" },
  { email: "", password: "x" },
  { email: "a@b.c", password: "x", remember: true },
])("a sign-in that is not well-formed is refused: %j", async (body) => {
  const reply = await scene.call(signIn, { body });
  expect([reply.status, reply.code]).toEqual([422, "validation_failed"]);
});

test("another site cannot sign anyone in or out", async () => {
  const ada = await scene.signUp();
  const body = { email: ada.email, password: PASSWORD };
  const origin = "https://evil.example";
  expect((await scene.call(signIn, { body, origin })).code).toBe("cross_site");
  expect((await scene.call(signIn, { body, fetchSite: "same-site" })).code).toBe("cross_site");
  expect((await scene.call(signOut, { as: ada.token, origin })).code).toBe("cross_site");
  expect((await scene.call(signOut, { as: ada.token, origin: null })).code).toBe("cross_site");
  expect((await scene.call(getMe, { as: ada.token })).status).toBe(200);
});

test("signing out ends this browser's sign-in and no other", async () => {
  const ada = await scene.signUp();
  const other = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() });
  const reply = await scene.call(signOut, { as: ada.token });
  expect(reply.status).toBe(200);
  expect(reply.headers["set-cookie"]).toBe("parley=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
  expect((await scene.call(getMe, { as: ada.token })).code).toBe("not_signed_in");
  expect((await scene.call(getMe, { as: other.token })).status).toBe(200);
  expect((await scene.call(signOut, { as: ada.token })).status).toBe(401);
});

test("without a cookie, or with one that was made up, nobody is signed in", async () => {
  for (const options of [{}, { as: "st_x" }, { as: `st_${"A".repeat(43)}` }, { as: "%00" }]) {
    const reply = await scene.call(getMe, options);
    expect([reply.status, reply.code]).toEqual([401, "not_signed_in"]);
  }
});

test("a sign-in ends after 12 hours without use and after 7 days in any case", async () => {
  const findSignIn = createSignInFinder(scene.deps.db, scene.deps.secrets);
  const age = (what: string, token: string) =>
    run(scene.deps.db, `update sign_ins set ${what} where token_digest = $1`, [scene.deps.secrets.digest(token)]);
  const idle = await scene.signUp();
  await age("last_seen_at = clock_timestamp() - interval '11 hours 59 minutes'", idle.token);
  expect((await findSignIn(idle.token))?.memberId).toBe(idle.me.member.id);
  await age("last_seen_at = last_seen_at - interval '12 hours 1 second'", idle.token);
  expect(await findSignIn(idle.token)).toBeNull();
  const old = await scene.signUp();
  await age("expires_at = expires_at - interval '6 days 23 hours 59 minutes'", old.token);
  expect((await findSignIn(old.token))?.memberId).toBe(old.me.member.id);
  await age("expires_at = expires_at - interval '1 minute'", old.token);
  expect(await findSignIn(old.token)).toBeNull();
});

test("being seen is written down at most once a minute", async () => {
  const findSignIn = createSignInFinder(scene.deps.db, scene.deps.secrets);
  const { token } = await scene.signUp();
  const digest = scene.deps.secrets.digest(token);
  const read = async () =>
    (
      await run<{ at: Date }>(scene.deps.db, "select last_seen_at as at from sign_ins where token_digest = $1", [
        digest,
      ])
    )[0]?.at;
  const first = await read();
  await findSignIn(token);
  expect(await read()).toEqual(first);
  await run(
    scene.deps.db,
    "update sign_ins set last_seen_at = last_seen_at - interval '61 seconds' where token_digest = $1",
    [digest],
  );
  await findSignIn(token);
  expect((await read())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Number.POSITIVE_INFINITY);
});

test("a changed password ends every other sign-in and gives this browser a fresh one", async () => {
  const ada = await scene.signUp();
  const other = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() });
  const body = { currentPassword: PASSWORD, newPassword: "a quite different phrase" };
  const reply = await scene.call(changePassword, { as: ada.token, body });
  expect(reply.status).toBe(200);
  expect((await scene.call(getMe, { as: reply.token })).status).toBe(200);
  expect((await scene.call(getMe, { as: ada.token })).status).toBe(401);
  expect((await scene.call(getMe, { as: other.token })).status).toBe(401);
  const old = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() });
  expect(old.status).toBe(401);
  const fresh = await scene.call(signIn, { body: { email: ada.email, password: body.newPassword }, ip: nextIp() });
  expect(fresh.status).toBe(200);
});

test("a password is not changed without the current one, and that cannot be guessed for long", async () => {
  const ada = await scene.signUp();
  const body = { currentPassword: "wrong", newPassword: "a quite different phrase" };
  for (let i = 0; i < 5; i += 1) {
    const reply = await scene.call(changePassword, { as: ada.token, body });
    expect([reply.status, reply.error.param]).toEqual([422, "currentPassword"]);
  }
  const refused = await scene.call(changePassword, { as: ada.token, body: { ...body, currentPassword: PASSWORD } });
  expect([refused.status, refused.code]).toEqual([429, "too_many_attempts"]);
  expect((await scene.call(getMe, { as: ada.token })).status).toBe(200);
});

test("a new password must not be a common one", async () => {
  const ada = await scene.signUp();
  const body = { currentPassword: PASSWORD, newPassword: "qwertyuiop12" };
  const reply = await scene.call(changePassword, { as: ada.token, body });
  expect([reply.status, reply.error.param, reply.error.details?.[0]?.code]).toEqual([422, "newPassword", "too_common"]);
});

test("of two changes of one password at the same moment one wins", async () => {
  const ada = await scene.signUp();
  const change = (newPassword: string) =>
    scene.call(changePassword, { as: ada.token, body: { currentPassword: PASSWORD, newPassword } });
  const replies = await Promise.all([change("the first of two phrases"), change("the second of two phrases")]);
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
});

test("changing a password or asking who one is needs a sign-in", async () => {
  const body = { currentPassword: PASSWORD, newPassword: "a quite different phrase" };
  expect((await scene.call(changePassword, { body })).code).toBe("not_signed_in");
});
