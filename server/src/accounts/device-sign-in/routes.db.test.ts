import {
  approveDeviceSignIn,
  denyDeviceSignIn,
  fetchDeviceKey,
  getDeviceSignIn,
  startDeviceSignIn,
} from "@parley/contract/routes/device-sign-in";
import { listApiKeys } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type AccountScene, openAccountScene, type SignedInPerson } from "../testing/account-scene.ts";

let scene: AccountScene;
let ada: SignedInPerson;
let nowMs = Date.now();
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"), { nowMs: () => nowMs });
  ada = await scene.signUp();
});
afterAll(() => scene.close());

const begin = async () => (await scene.call(startDeviceSignIn, { body: { client: "parley on ada-laptop" } })).data;
const poll = async (deviceCode: string) => (await scene.call(fetchDeviceKey, { body: { deviceCode } })).data;

it("gives a command line a key after a member has confirmed its code, once", async () => {
  const { deviceCode, userCode, verificationUrl } = await begin();
  expect(verificationUrl).toContain(`/device?code=${userCode}`);
  expect(await poll(deviceCode)).toEqual({ status: "pending", key: null });
  const by = { as: ada.token, params: { code: userCode.toLowerCase() } };
  expect((await scene.call(getDeviceSignIn, by)).data).toMatchObject({
    client: "parley on ada-laptop",
    isApproved: false,
  });
  await scene.call(approveDeviceSignIn, { ...by, body: { mode: "test", scopes: ["calls:read"] } });
  expect(await poll(deviceCode)).toMatchObject({ status: "approved", key: expect.stringMatching(/^svc_test_/) });
  expect(await poll(deviceCode)).toEqual({ status: "expired", key: null });
  const keys = (await scene.call(listApiKeys, { as: ada.token })).items;
  expect(keys).toMatchObject([{ name: "parley on ada-laptop", scopes: ["calls:read"] }]);
});

it("tells a command line that it was refused", async () => {
  const { deviceCode, userCode } = await begin();
  await scene.call(denyDeviceSignIn, { as: ada.token, params: { code: userCode } });
  expect(await poll(deviceCode)).toEqual({ status: "denied", key: null });
});

it("forgets a code after ten minutes, also when it was approved", async () => {
  const { deviceCode, userCode } = await begin();
  await scene.call(approveDeviceSignIn, { as: ada.token, params: { code: userCode }, body: { mode: "live" } });
  nowMs += 601_000;
  expect(await poll(deviceCode)).toEqual({ status: "expired", key: null });
  const late = await scene.call(getDeviceSignIn, { as: ada.token, params: { code: userCode } });
  expect(late.status).toBe(404);
});

it("does not let a member without the right grant the scopes of owners", async () => {
  const bob = await scene.join(ada.token, "member");
  const { userCode } = await begin();
  const reply = await scene.call(approveDeviceSignIn, {
    as: bob.token,
    params: { code: userCode },
    body: { mode: "test", scopes: ["settings:write"] },
  });
  expect(reply.status).toBe(403);
});

it("stops a member who tries many codes", async () => {
  const statuses = new Set<number>();
  for (let count = 0; count < 25; count += 1) {
    statuses.add((await scene.call(getDeviceSignIn, { as: ada.token, params: { code: "BBBBBBBB" } })).status);
  }
  expect([...statuses]).toEqual([404, 429]);
});
