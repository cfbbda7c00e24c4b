import { AppError } from "@parley/contract/errors";
import { signIn } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../platform/database/database.ts";
import { signIn as signInMember } from "./sign-in.ts";
import { type AccountScene, nextEmail, nextIp, openAccountScene, PASSWORD } from "./testing/account-scene.ts";

let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterAll(() => scene.close());

/** Ages all counters, as if this much time had passed. */
async function letMinutesPass(minutes: number): Promise<void> {
  await run(scene.deps.db, "update failed_attempts set window_start = window_start - make_interval(mins => $1::int)", [
    minutes,
  ]);
}

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

test("a hundred concurrent guesses are five guesses", async () => {
  const ada = await scene.signUp();
  const ip = nextIp();
  const hashes = scene.hashCount();
  const guess = (i: number) => scene.call(signIn, { body: { email: ada.email, password: `guess ${i}` }, ip });
  const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => guess(i)));
  expect(replies.filter((reply) => reply.status === 401)).toHaveLength(5);
  expect(replies.filter((reply) => reply.status === 429)).toHaveLength(95);
  expect(scene.hashCount() - hashes).toBe(5);
});

test("a sign-in refused because too many are in progress does not count as a failure", async () => {
  const ada = await scene.signUp();
  const sender = { ip: nextIp(), client: null };
  const given = { email: ada.email, password: PASSWORD };
  const busy = {
    ...scene.deps,
    hasher: { ...scene.deps.hasher, verify: () => Promise.reject(new AppError("unavailable", "later")) },
  };
  for (let i = 0; i < 10; i += 1) await expect(signInMember(busy, given, sender)).rejects.toThrow("later");
  expect(await signInMember(scene.deps, given, sender)).toMatchObject({
    me: { member: ada.me.member, account: ada.me.account },
  });
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
