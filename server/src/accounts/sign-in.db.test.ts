import { getMe, inviteMember, listAudit, resetPassword, signIn, signOut } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../platform/database/database.ts";
import { createPasswordHasher } from "./credentials/password-hash.ts";
import { createSignInFinder } from "./credentials/sessions.ts";
import { createResetLink } from "./passwords.ts";
import { signIn as signInMember } from "./sign-in.ts";
import { type AccountScene, nextEmail, nextIp, openAccountScene, PASSWORD, tokenIn } from "./testing/account-scene.ts";

let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterAll(() => scene.close());

test("the right e-mail, in any case, and password sign a member in", async () => {
  const ada = await scene.signUp();
  const reply = await scene.call(signIn, {
    body: { email: ada.email.toUpperCase(), password: PASSWORD },
    ip: nextIp(),
  });
  // Each browser signs in at a different time.
  const { signedInAt, ...who } = ada.me;
  expect(reply.data).toMatchObject(who);
  expect(reply.token).not.toBe(ada.token);
  expect((await scene.call(getMe, { as: reply.token })).data).toEqual(reply.data);
  expect((await scene.call(getMe, { as: ada.token })).data).toMatchObject({ signedInAt });
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

test("an invited member without a password cannot sign in, and the reply does not reveal it", async () => {
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

test("a sign-in with the old password that overlaps a reset does not outlive it", async () => {
  const ada = await scene.signUp();
  const link = tokenIn((await createResetLink(scene.deps, ada.email)) ?? "");
  const slow = {
    ...scene.deps,
    hasher: {
      ...scene.deps.hasher,
      async verify(password: string, stored: string | null) {
        const isRight = await scene.deps.hasher.verify(password, stored);
        await scene.call(resetPassword, { body: { token: link, password: "a quite different phrase" }, ip: nextIp() });
        return isRight;
      },
    },
  };
  const given = { email: ada.email, password: PASSWORD };
  await expect(signInMember(slow, given, { ip: nextIp(), client: null })).rejects.toThrow(/wrong/);
  const left = await scene.deps.db
    .selectFrom("sign_ins")
    .select("id")
    .where("member_id", "=", ada.me.member.id)
    .execute();
  expect(left).toEqual([]);
});

test.each([
  {},
  { email: "a@example.com" },
  { email: "", password: "x" },
  { email: "a@b.c", password: "x", remember: true },
])("a malformed sign-in is rejected: %j", async (body) => {
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

test("signing out everywhere ends every session of the member and no other", async () => {
  const [ada, grace] = [await scene.signUp(), await scene.signUp()];
  const other = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() });
  expect((await scene.call(signOut, { as: ada.token, body: { everywhere: true } })).status).toBe(200);
  expect((await scene.call(getMe, { as: other.token })).code).toBe("not_signed_in");
  expect((await scene.call(getMe, { as: grace.token })).status).toBe(200);
});

test("a request without a cookie, or with an invented one, is not signed in", async () => {
  for (const options of [{}, { as: "st_x" }, { as: `st_${"A".repeat(43)}` }, { as: "%00" }]) {
    const reply = await scene.call(getMe, options);
    expect([reply.status, reply.code]).toEqual([401, "not_signed_in"]);
  }
});

test("a sign-in ends after 12 hours without use and after 7 days in any case", async () => {
  const findSignIn = createSignInFinder(scene.deps.db, scene.deps.secrets, false);
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

test("the last-seen time is stored at most once a minute", async () => {
  const findSignIn = createSignInFinder(scene.deps.db, scene.deps.secrets, false);
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
