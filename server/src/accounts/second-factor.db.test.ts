import { changePassword, getMe, listAudit, listOperatorAccounts, signIn } from "@parley/contract/routes/members";
import {
  confirmSecondFactor,
  disableSecondFactor,
  getSecondFactor,
  replaceRecoveryCodes,
  signInWithCode,
  startSecondFactor,
} from "@parley/contract/routes/sign-in-security";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../platform/database/database.ts";
import { clearSecondFactor } from "./second-factor.ts";
import { type AccountScene, nextIp, openAccountScene, PASSWORD, type SignedInPerson } from "./testing/account-scene.ts";

const STEP_MS = 30_000;
let nowMs = Date.parse("2026-01-31T09:30:00Z");
let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"), { operatorsNeedSecondFactor: true, nowMs: () => nowMs });
});
afterAll(() => scene.close());

const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: nowMs + steps * STEP_MS });
/** A code that no step around now has. */
const wrongCodeOf = (secret: string) => {
  const near = [-1, 0, 1].map((steps) => codeOf(secret, steps));
  return ["000000", "111111", "222222", "333333"].find((code) => !near.includes(code)) ?? "";
};
const passStep = () => {
  nowMs += STEP_MS;
};

interface Enrolled extends SignedInPerson {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

async function enrol(): Promise<Enrolled> {
  const person = await scene.signUp();
  const { secret } = (await scene.call(startSecondFactor, { as: person.token, body: { password: PASSWORD } })).data;
  const { recoveryCodes } = (
    await scene.call(confirmSecondFactor, { as: person.token, body: { code: codeOf(secret) } })
  ).data;
  passStep();
  return { ...person, secret, recoveryCodes };
}

async function challengeOf(person: SignedInPerson, ip = nextIp()): Promise<string> {
  const { data } = await scene.call(signIn, { body: { email: person.email, password: PASSWORD }, ip });
  if (!("challenge" in data)) throw new Error("no code was requested");
  return data.challenge;
}

const answer = async (challenge: string, code: string, ip = nextIp(), as?: string) =>
  scene.call(signInWithCode, { body: { challenge, code }, ip, ...(as ? { as } : {}) });

test("a member enrols with a code of the shown secret, and gets ten recovery codes once", async () => {
  const ada = await scene.signUp();
  expect((await scene.call(getSecondFactor, { as: ada.token })).data).toEqual({
    state: "off",
    enabledAt: null,
    recoveryCodesLeft: 0,
  });
  const { secret, uri } = (await scene.call(startSecondFactor, { as: ada.token, body: { password: PASSWORD } })).data;
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const address = new URL(uri);
  expect([address.protocol, address.searchParams.get("secret")]).toEqual(["otpauth:", secret]);
  expect(decodeURIComponent(uri)).toContain(`Parley (parley.test):${ada.email}`);
  const { recoveryCodes } = (await scene.call(confirmSecondFactor, { as: ada.token, body: { code: codeOf(secret) } }))
    .data;
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
  const state = await scene.call(getSecondFactor, { as: ada.token });
  expect(state.data).toMatchObject({ state: "on", recoveryCodesLeft: 10 });
  expect(state.text).not.toContain(secret);
  expect((await scene.call(getMe, { as: ada.token })).data.member.secondFactor).toBe("on");
});

test("enrolling needs the password, and no code is required for an unconfirmed secret", async () => {
  const ada = await scene.signUp();
  const wrong = await scene.call(startSecondFactor, { as: ada.token, body: { password: "not the password" } });
  expect([wrong.status, wrong.error.param]).toEqual([422, "password"]);
  expect((await scene.call(confirmSecondFactor, { as: ada.token, body: { code: "123456" } })).code).toBe(
    "invalid_state",
  );
  const first = (await scene.call(startSecondFactor, { as: ada.token, body: { password: PASSWORD } })).data;
  const second = (await scene.call(startSecondFactor, { as: ada.token, body: { password: PASSWORD } })).data;
  const stale = await scene.call(confirmSecondFactor, { as: ada.token, body: { code: codeOf(first.secret) } });
  expect([stale.status, stale.error.param]).toEqual([422, "code"]);
  expect((await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() })).token).not.toBe(
    "",
  );
  const confirmed = await scene.call(confirmSecondFactor, { as: ada.token, body: { code: codeOf(second.secret) } });
  expect(confirmed.status).toBe(200);
  const again = await scene.call(startSecondFactor, { as: ada.token, body: { password: PASSWORD } });
  expect([again.status, again.code]).toEqual([409, "invalid_state"]);
});

test("turning it on ends every other session", async () => {
  const ada = await scene.signUp();
  const other = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() });
  const { secret } = (await scene.call(startSecondFactor, { as: ada.token, body: { password: PASSWORD } })).data;
  await scene.call(confirmSecondFactor, { as: ada.token, body: { code: codeOf(secret) } });
  expect((await scene.call(getMe, { as: other.token })).status).toBe(401);
  expect((await scene.call(getMe, { as: ada.token })).status).toBe(200);
});

test("the password alone does not sign in; with a code it does, and replaces the browser's old session", async () => {
  const ada = await enrol();
  const asked = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() });
  expect([asked.token, asked.headers["set-cookie"]]).toEqual(["", undefined]);
  const challenge = await challengeOf(ada);
  expect((await scene.call(getMe, { as: challenge })).status).toBe(401);
  const reply = await answer(challenge, codeOf(ada.secret), nextIp(), ada.token);
  expect(reply.data.member).toMatchObject({ id: ada.me.member.id, secondFactor: "on" });
  expect((await scene.call(getMe, { as: reply.token })).status).toBe(200);
  expect((await scene.call(getMe, { as: ada.token })).status).toBe(401);
  expect((await scene.call(listAudit, { as: reply.token })).items.slice(0, 3)).toMatchObject([
    { action: "sign_in.succeeded", data: { secondFactor: "code" } },
    { action: "sign_in.ended" },
    { action: "sign_in.code_asked" },
  ]);
});

test("a code is accepted once, and none of an earlier step after it", async () => {
  const ada = await enrol();
  const code = codeOf(ada.secret);
  expect((await answer(await challengeOf(ada), code)).status).toBe(200);
  expect((await answer(await challengeOf(ada), code)).code).toBe("not_signed_in");
  expect((await answer(await challengeOf(ada), codeOf(ada.secret, -1))).code).toBe("not_signed_in");
  expect((await answer(await challengeOf(ada), codeOf(ada.secret, 1))).status).toBe(200);
});

test("of two concurrent sign-ins with one code one succeeds", async () => {
  const ada = await enrol();
  const challenges = [await challengeOf(ada), await challengeOf(ada)];
  const replies = await Promise.all(challenges.map((challenge) => answer(challenge, codeOf(ada.secret))));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test.each([-1, 0, 1])("a device whose clock is %i steps off is let in", async (steps) => {
  const ada = await enrol();
  passStep();
  expect((await answer(await challengeOf(ada), codeOf(ada.secret, steps))).status).toBe(200);
});

test.each([-2, 2])("a code that is %i steps off is refused", async (steps) => {
  const ada = await enrol();
  nowMs += 5 * STEP_MS;
  expect((await answer(await challengeOf(ada), codeOf(ada.secret, steps))).code).toBe("not_signed_in");
});

test("a recovery code signs in once, however it is typed", async () => {
  const ada = await enrol();
  const [first = "", second = ""] = ada.recoveryCodes;
  const reply = await answer(await challengeOf(ada), ` ${first.toUpperCase().replace("-", " ")} `);
  expect(reply.status).toBe(200);
  expect((await scene.call(listAudit, { as: reply.token })).data.data).toEqual({ secondFactor: "recovery_code" });
  expect((await answer(await challengeOf(ada), first)).code).toBe("not_signed_in");
  expect((await answer(await challengeOf(ada), second)).status).toBe(200);
  expect((await scene.call(getSecondFactor, { as: reply.token })).data.recoveryCodesLeft).toBe(8);
});

test("a recovery code of one member is worth nothing to another", async () => {
  const [ada, grace] = [await enrol(), await enrol()];
  expect((await answer(await challengeOf(grace), ada.recoveryCodes[0] ?? "")).status).toBe(401);
});

test("every refusal of a code reads the same: wrong, used, expired, or for a sign-in that never was", async () => {
  const ada = await enrol();
  const used = await challengeOf(ada);
  expect((await answer(used, codeOf(ada.secret))).status).toBe(200);
  passStep();
  const expired = await challengeOf(ada);
  await run(
    scene.deps.db,
    "update sign_in_challenges set expires_at = expires_at - interval '5 minutes' where token_digest = $1",
    [scene.deps.secrets.digest(expired)],
  );
  const refusals = [
    await answer(await challengeOf(ada), wrongCodeOf(ada.secret)),
    await answer(await challengeOf(ada), "aaaaa-aaaaa"),
    await answer(used, codeOf(ada.secret)),
    await answer(expired, codeOf(ada.secret)),
    await answer(`ct_${"A".repeat(43)}`, codeOf(ada.secret)),
    await answer("nothing", codeOf(ada.secret)),
  ];
  const [first] = refusals;
  for (const refusal of refusals) {
    expect([refusal.status, refusal.code, refusal.error.message]).toEqual([401, "not_signed_in", first?.error.message]);
  }
});

test("a wrong password does not tell that there is a second factor", async () => {
  const [ada, grace] = [await enrol(), await scene.signUp()];
  const replies = [];
  for (const { email } of [ada, grace]) {
    replies.push(await scene.call(signIn, { body: { email, password: "not the password" }, ip: nextIp() }));
  }
  expect(replies.map(({ status, error }) => [status, error.message])).toEqual([
    [401, "The e-mail or the password is wrong."],
    [401, "The e-mail or the password is wrong."],
  ]);
});

test("wrong codes and passwords count together, and a right password in between grants no more guesses", async () => {
  const ada = await enrol();
  const ip = nextIp();
  for (let i = 0; i < 5; i += 1) {
    const challenge = await challengeOf(ada, ip);
    expect((await answer(challenge, wrongCodeOf(ada.secret), ip)).status).toBe(401);
  }
  const password = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip });
  expect([password.status, password.code]).toEqual([429, "too_many_attempts"]);
  const elsewhere = await challengeOf(ada);
  const code = await answer(elsewhere, codeOf(ada.secret), ip);
  expect([code.status, code.code]).toEqual([429, "too_many_attempts"]);
  expect((await answer(elsewhere, codeOf(ada.secret))).status).toBe(200);
});

test("a hundred concurrent codes are five guesses", async () => {
  const ada = await enrol();
  const ip = nextIp();
  const challenge = await challengeOf(ada, ip);
  const wrong = wrongCodeOf(ada.secret);
  const replies = await Promise.all(Array.from({ length: 100 }, () => answer(challenge, wrong, ip)));
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(95);
});

test("guesses at challenges that never were count against the address", async () => {
  const ip = nextIp();
  const guess = () => answer(`ct_${"B".repeat(43)}`, "123456", ip);
  for (let i = 0; i < 10; i += 1) await Promise.all(Array.from({ length: 10 }, guess));
  expect((await guess()).code).toBe("too_many_attempts");
});

test("a password that changes while the code is awaited ends that sign-in", async () => {
  const ada = await enrol();
  const challenge = await challengeOf(ada);
  const body = { currentPassword: PASSWORD, newPassword: "a quite different phrase" };
  expect((await scene.call(changePassword, { as: ada.token, body })).status).toBe(200);
  expect((await answer(challenge, codeOf(ada.secret))).status).toBe(401);
});

test("new recovery codes need password and code, and end the old ones", async () => {
  const ada = await enrol();
  const replace = (password: string, code: string) =>
    scene.call(replaceRecoveryCodes, { as: ada.token, body: { password, code } });
  expect((await replace("not the password", codeOf(ada.secret))).error.param).toBe("password");
  expect((await replace(PASSWORD, wrongCodeOf(ada.secret))).error.param).toBe("code");
  const { recoveryCodes } = (await replace(PASSWORD, codeOf(ada.secret))).data;
  expect((await answer(await challengeOf(ada), ada.recoveryCodes[0] ?? "")).status).toBe(401);
  expect((await answer(await challengeOf(ada), recoveryCodes[0] ?? "")).status).toBe(200);
});

test("it is turned off with password and code, and then the password alone signs in", async () => {
  const ada = await enrol();
  const disable = (password: string, code: string) =>
    scene.call(disableSecondFactor, { as: ada.token, body: { password, code } });
  expect((await disable("not the password", codeOf(ada.secret))).error.param).toBe("password");
  expect((await disable(PASSWORD, wrongCodeOf(ada.secret))).error.param).toBe("code");
  expect((await disable(PASSWORD, codeOf(ada.secret))).status).toBe(200);
  expect((await disable(PASSWORD, codeOf(ada.secret, 1))).code).toBe("invalid_state");
  const reply = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() });
  expect(reply.token).not.toBe("");
  const actions = (await scene.call(listAudit, { as: reply.token, query: { action: "second_factor" } })).items;
  expect(actions.map(({ action }) => action)).toEqual([
    "second_factor.disabled",
    "second_factor.refused",
    "second_factor.enabled",
  ]);
});

test("codes and passwords cannot be guessed from a session that was left open", async () => {
  const ada = await enrol();
  const body = { password: PASSWORD, code: wrongCodeOf(ada.secret) };
  for (let i = 0; i < 5; i += 1) {
    expect((await scene.call(disableSecondFactor, { as: ada.token, body })).status).toBe(422);
  }
  const right = { password: PASSWORD, code: codeOf(ada.secret) };
  expect((await scene.call(disableSecondFactor, { as: ada.token, body: right })).code).toBe("too_many_attempts");
  expect((await scene.call(replaceRecoveryCodes, { as: ada.token, body: right })).code).toBe("too_many_attempts");
});

test("the database holds neither the secret nor a code", async () => {
  const ada = await enrol();
  const rows = await run<{ text: string }>(
    scene.deps.db,
    `select f::text || (select string_agg(c::text, ' ') from recovery_codes c where c.member_id = f.member_id) as text
     from second_factors f where f.member_id = $1`,
    [ada.me.member.id],
  );
  const text = rows[0]?.text ?? "";
  const hex = (secret: string) => Buffer.from(secret).toString("hex");
  expect(text).not.toBe("");
  for (const secret of [ada.secret, ...ada.recoveryCodes, ...ada.recoveryCodes.map((code) => code.replace("-", ""))]) {
    expect(text.includes(secret) || text.includes(hex(secret))).toBe(false);
  }
  expect(text).not.toContain(Buffer.from(Secret.fromBase32(ada.secret).bytes).toString("hex"));
});

test("an operator who must have a second factor can only set it up until then, and the error says so", async () => {
  const ada = await scene.signUp();
  await run(scene.deps.db, "update members set is_operator = true where id = $1", [ada.me.member.id]);
  expect((await scene.call(getMe, { as: ada.token })).data.member.secondFactor).toBe("required");
  const refused = await scene.call(listOperatorAccounts, { as: ada.token });
  expect([refused.status, refused.code]).toEqual([403, "not_allowed"]);
  expect(refused.error.message).toContain("second factor");
  const { secret } = (await scene.call(startSecondFactor, { as: ada.token, body: { password: PASSWORD } })).data;
  await scene.call(confirmSecondFactor, { as: ada.token, body: { code: codeOf(secret) } });
  expect((await scene.call(listOperatorAccounts, { as: ada.token })).status).toBe(200);
  passStep();
  const body = { password: PASSWORD, code: codeOf(secret) };
  expect((await scene.call(disableSecondFactor, { as: ada.token, body })).status).toBe(200);
  expect((await scene.call(listOperatorAccounts, { as: ada.token })).code).toBe("not_allowed");
});

test("where it is not demanded an operator needs none", async () => {
  const local = await openAccountScene(inject("postgresUrl"));
  try {
    const ada = await local.signUp();
    await run(local.deps.db, "update members set is_operator = true where id = $1", [ada.me.member.id]);
    expect((await local.call(listOperatorAccounts, { as: ada.token })).status).toBe(200);
    expect((await local.call(getMe, { as: ada.token })).data.member.secondFactor).toBe("off");
  } finally {
    await local.close();
  }
});

test("the operator of the installation can clear the second factor of a lost device", async () => {
  const ada = await enrol();
  expect(await clearSecondFactor(scene.deps, ada.email.toUpperCase())).toBe(true);
  expect(await clearSecondFactor(scene.deps, ada.email)).toBe(false);
  const reply = await scene.call(signIn, { body: { email: ada.email, password: PASSWORD }, ip: nextIp() });
  expect(reply.token).not.toBe("");
});

test("a second factor is a signed-in member's own affair", async () => {
  for (const [route, body] of [
    [startSecondFactor, { password: PASSWORD }],
    [confirmSecondFactor, { code: "123456" }],
    [replaceRecoveryCodes, { password: PASSWORD, code: "123456" }],
    [disableSecondFactor, { password: PASSWORD, code: "123456" }],
  ] as const) {
    expect((await scene.call(route, { body })).code).toBe("not_signed_in");
  }
  expect((await scene.call(getSecondFactor)).code).toBe("not_signed_in");
  const ada = await scene.signUp();
  expect((await scene.call(startSecondFactor, { as: ada.token, body: {} })).code).toBe("validation_failed");
});
