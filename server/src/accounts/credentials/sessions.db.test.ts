import {
  changePassword,
  claimAccount,
  getMe,
  inviteMember,
  listAudit,
  signIn,
  signUp,
} from "@parley/contract/routes/members";
import { endOtherSessions, endSession, listSessions } from "@parley/contract/routes/sign-in-security";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { type AccountScene, nextEmail, nextIp, openAccountScene, PASSWORD, tokenIn } from "../testing/account-scene.ts";
import { describeDevice } from "./sessions.ts";

let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterAll(() => scene.close());

const isSignedIn = async (token: string) => (await scene.call(getMe, { as: token })).status === 200;
const enter = async (email: string, as?: string, password = PASSWORD) =>
  scene.call(signIn, { body: { email, password }, ip: nextIp(), ...(as ? { as } : {}) });

test("signing in ends the session that the browser had before", async () => {
  const ada = await scene.signUp();
  const again = await enter(ada.email, ada.token);
  expect(again.token).not.toBe(ada.token);
  expect([await isSignedIn(ada.token), await isSignedIn(again.token)]).toEqual([false, true]);
  const actions = (await scene.call(listAudit, { as: again.token })).items.map(({ action, data }) => [action, data]);
  expect(actions.slice(0, 2)).toEqual([
    ["sign_in.succeeded", {}],
    ["sign_in.ended", { everywhere: false, replaced: true }],
  ]);
});

test("signing in from a browser where another member is signed in ends that session", async () => {
  const [ada, grace] = [await scene.signUp(), await scene.signUp()];
  await enter(grace.email, ada.token);
  expect([await isSignedIn(ada.token), await isSignedIn(grace.token)]).toEqual([false, true]);
});

test("signing up and accepting an invitation replace the session before them too", async () => {
  const ada = await scene.signUp();
  const body = { email: nextEmail(), password: PASSWORD };
  const other = await scene.call(signUp, { body, as: ada.token, ip: nextIp() });
  expect(await isSignedIn(ada.token)).toBe(false);
  const invited = await scene.call(inviteMember, { as: other.token, body: { email: nextEmail() } });
  const claim = { token: tokenIn(invited.data.inviteUrl), password: PASSWORD };
  const joined = await scene.call(claimAccount, { body: claim, as: other.token, ip: nextIp() });
  expect([await isSignedIn(other.token), await isSignedIn(joined.token)]).toEqual([false, true]);
});

test("a refused sign-in, or one with an invented cookie, ends no session", async () => {
  const ada = await scene.signUp();
  expect((await enter(ada.email, ada.token, "not the password")).status).toBe(401);
  expect((await enter(ada.email, `st_${"A".repeat(43)}`)).status).toBe(200);
  expect(await isSignedIn(ada.token)).toBe(true);
});

test("a member sees only their own sessions", async () => {
  const [ada, grace] = [await scene.signUp(), await scene.signUp()];
  const ip = nextIp();
  const second = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip });
  const { items, nextCursor } = await scene.call(listSessions, { as: second.token });
  expect(nextCursor).toBeNull();
  expect(items).toHaveLength(2);
  expect(items[0]).toMatchObject({ ip, device: "tests", userAgent: "tests", isCurrent: true });
  expect(items[1]).toMatchObject({ isCurrent: false });
  expect((await scene.call(listSessions, { as: grace.token })).items).toHaveLength(1);
  const first = await scene.call(listSessions, { as: second.token, query: { limit: "1" } });
  const rest = await scene.call(listSessions, {
    as: second.token,
    query: { limit: "1", cursor: first.nextCursor ?? "" },
  });
  expect([...first.items, ...rest.items]).toEqual(items);
});

test("sessions that ran out are not listed", async () => {
  const ada = await scene.signUp();
  const second = await enter(ada.email);
  await run(
    scene.deps.db,
    "update sign_ins set last_seen_at = last_seen_at - interval '12 hours 1 second' where token_digest = $1",
    [scene.deps.secrets.digest(ada.token)],
  );
  expect((await scene.call(listSessions, { as: second.token })).items).toHaveLength(1);
});

test("a session is ended from another one, once, and it is in the audit log", async () => {
  const ada = await scene.signUp();
  const second = await enter(ada.email);
  const id = (await scene.call(listSessions, { as: ada.token })).data.id;
  expect((await scene.call(endSession, { as: ada.token, params: { id } })).status).toBe(200);
  expect([await isSignedIn(second.token), await isSignedIn(ada.token)]).toEqual([false, true]);
  expect((await scene.call(endSession, { as: ada.token, params: { id } })).code).toBe("not_found");
  expect((await scene.call(listAudit, { as: ada.token })).data).toMatchObject({
    action: "sign_in.ended",
    actor: ada.me.member.id,
    data: { session: id },
  });
});

test("ending the session of this browser signs it out and takes its cookie", async () => {
  const ada = await scene.signUp();
  const { id } = (await scene.call(listSessions, { as: ada.token })).data;
  const reply = await scene.call(endSession, { as: ada.token, params: { id } });
  expect(reply.headers["set-cookie"]).toContain("Max-Age=0");
  expect(await isSignedIn(ada.token)).toBe(false);
});

test("another member's session is answered as one that never was", async () => {
  const ada = await scene.signUp();
  const grace = await scene.join(ada.token);
  const { id } = (await scene.call(listSessions, { as: grace.token })).data;
  const foreign = await scene.call(endSession, { as: ada.token, params: { id } });
  const unknown = await scene.call(endSession, { as: ada.token, params: { id: "sgn_00000000000000000000000000" } });
  expect([foreign.status, foreign.code, foreign.error.message]).toEqual([404, "not_found", unknown.error.message]);
  expect(await isSignedIn(grace.token)).toBe(true);
});

test("all other sessions can be ended together, and changing the password also ends them", async () => {
  const ada = await scene.signUp();
  const others = [await enter(ada.email), await enter(ada.email)];
  expect((await scene.call(endOtherSessions, { as: ada.token })).data).toEqual({ endedCount: 2 });
  for (const { token } of others) expect(await isSignedIn(token)).toBe(false);
  expect((await scene.call(endOtherSessions, { as: ada.token })).data).toEqual({ endedCount: 0 });
  const third = await enter(ada.email);
  const body = { currentPassword: PASSWORD, newPassword: "a quite different phrase" };
  const changed = await scene.call(changePassword, { as: ada.token, body });
  expect([await isSignedIn(third.token), await isSignedIn(changed.token)]).toEqual([false, true]);
});

test("sessions are shown to and ended by signed-in members of this site alone", async () => {
  const ada = await scene.signUp();
  const { id } = (await scene.call(listSessions, { as: ada.token })).data;
  expect((await scene.call(listSessions)).code).toBe("not_signed_in");
  expect((await scene.call(endSession, { params: { id } })).code).toBe("not_signed_in");
  expect((await scene.call(endOtherSessions, { as: ada.token, origin: "https://evil.example" })).code).toBe(
    "cross_site",
  );
  expect((await scene.call(listSessions, { as: ada.token, query: { limit: "0" } })).code).toBe("validation_failed");
});

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
    "Chrome on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  ["curl/8.5.0", "curl"],
  [null, "Unknown device"],
  ["/", "Unknown device"],
])("the browser %s is shown as %s", (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});
