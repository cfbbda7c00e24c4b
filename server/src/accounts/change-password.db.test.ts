import { changePassword, getMe, signIn } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type AccountScene, nextIp, openAccountScene, PASSWORD } from "./testing/account-scene.ts";

let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterAll(() => scene.close());

test("a changed password ends every other session and renews that of this browser", async () => {
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

test("of two concurrent changes of one password one wins", async () => {
  const ada = await scene.signUp();
  const change = (newPassword: string) =>
    scene.call(changePassword, { as: ada.token, body: { currentPassword: PASSWORD, newPassword } });
  const replies = await Promise.all([change("the first of two phrases"), change("the second of two phrases")]);
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
});

test("changing a password or reading one's own profile needs a sign-in", async () => {
  const body = { currentPassword: PASSWORD, newPassword: "a quite different phrase" };
  expect((await scene.call(changePassword, { body })).code).toBe("not_signed_in");
});
