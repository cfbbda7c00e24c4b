import { signTwilioRequest } from "@parley/telephony/twilio/twilio-signature";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { getCall, placeCall, untilPhase } from "../harness/calls.ts";
import { AUTH_TOKEN, CALLER_ID, openTwilioScene, TWILIO_TRUNK, type TwilioScene } from "./twilio-scene.ts";

const HANGS_UP = { answerAfterMs: 300, script: [{ waitMs: 800 }, { hangUp: true as const }] };
const STAYS = { answerAfterMs: 300, script: [{ waitMs: 120_000 }] };
const NEVER_ANSWERS = { answerAfterMs: 55_000, script: [] };
const NUMBERS = {
  hangsUp: "+12025550111",
  busy: "+12025550002",
  pressesKeys: "+12025550112",
  lostReply: "+12025550113",
  serverError: "+12025550114",
  transferred: "+12025550115",
  other: "+12025550116",
  ringing: "+12025550117",
  unnamed: "+12025550118",
  talking: "+12025550119",
  wrongToken: "+13025550111",
} as const;

let rig: TwilioScene;

beforeAll(async () => {
  rig = await openTwilioScene({
    plans: {
      [NUMBERS.hangsUp]: HANGS_UP,
      [NUMBERS.pressesKeys]: { answerAfterMs: 300, script: [{ waitMs: 500 }, { press: "42" }, { waitMs: 120_000 }] },
      [NUMBERS.lostReply]: HANGS_UP,
      [NUMBERS.serverError]: HANGS_UP,
      [NUMBERS.ringing]: NEVER_ANSWERS,
      [NUMBERS.unnamed]: NEVER_ANSWERS,
      [NUMBERS.talking]: STAYS,
      [NUMBERS.wrongToken]: HANGS_UP,
    },
  });
  rig.twilio.faults.onCreate = (to) => {
    if (to === NUMBERS.lostReply) return "drop_reply";
    if (to === NUMBERS.serverError) return "error_after_dial";
    return to === NUMBERS.unnamed ? { lateReplyMs: 120_000 } : null;
  };
  await rig.addTrunk(TWILIO_TRUNK, 1);
});
afterAll(() => rig?.close());

const timeline = async (id: string): Promise<string[]> =>
  (await ask(rig.live.url, `/api/v1/calls/${id}/events`, { key: rig.live.key })).body.data.map(
    ({ type }: { type: string }) => type,
  );
const channelsTaken = async () =>
  (await rig.scene.query("select coalesce(sum(active_count), 0)::int as taken from trunk_channels"))[0]?.["taken"];

test("a trunk of Twilio is accepted with its account, and shown without the auth token", async () => {
  const refused = await rig.operate("/trunks", { ...TWILIO_TRUNK, name: "No number", callerIds: [], port: 5060 });
  expect(refused.status).toBe(422);
  expect(refused.body.error.details.map(({ param }: { param: string }) => param)).toEqual(["callerIds", "port"]);
  const [trunk] = await rig.scene.query("select kind, host, password_sealed::text as sealed from trunks");
  expect(trunk).toMatchObject({ kind: "twilio", host: "api.twilio.com" });
  expect(rig.service().output()).not.toContain(AUTH_TOKEN);
});

test("a live call goes out over Twilio, is heard by its callee, and is reported like any other", async () => {
  const id = await placeCall(rig.live, NUMBERS.hangsUp);
  const call = await untilPhase(rig.live, id, "ended");
  expect(call).toMatchObject({
    status: "completed",
    endReason: "callee_hangup",
    endedBy: "callee",
    network: "Twilio",
    carrier: { name: "twilio" },
    quality: { lossPercent: 0 },
  });
  expect((await timeline(id)).filter((type) => !type.endsWith(".ready"))).toEqual([
    "call.initiated",
    "call.dialing",
    "call.ringing",
    "call.in_progress",
    "call.completed",
    "call.analyzed",
  ]);
  expect(rig.callTo(NUMBERS.hangsUp)).toMatchObject({ from: CALLER_ID, timesRung: 1, status: "completed" });
  const sent = await until(
    async () => rig.webhooks.filter(({ data }) => data.call?.id === id),
    (events) => events.some(({ type }) => type === "call.completed"),
    20_000,
  );
  expect(sent.map(({ type }) => type)).toContain("call.initiated");
  expect(await channelsTaken()).toBe(0);
});

test("a busy line is reported as such", async () => {
  const call = await untilPhase(rig.live, await placeCall(rig.live, NUMBERS.busy), "ended");
  expect(call).toMatchObject({ status: "failed", endReason: "busy", carrier: { name: "twilio" }, quality: null });
});

test("keys arrive, and a hang-up reaches the phone", async () => {
  const id = await placeCall(rig.live, NUMBERS.pressesKeys);
  await until(
    () => timeline(id),
    (types) => types.filter((type) => type === "call.key_pressed").length === 2,
    30_000,
  );
  await ask(rig.live.url, `/api/v1/calls/${id}/hangup`, { key: rig.live.key, body: {} });
  expect(await untilPhase(rig.live, id, "ended")).toMatchObject({ status: "completed", endReason: "api_hangup" });
  expect(rig.callTo(NUMBERS.pressesKeys).status).toBe("completed");
});

test.each([
  ["is lost", NUMBERS.lostReply],
  ["is a 500 although it dialed", NUMBERS.serverError],
])("a call is held, and its phone rings once, if the reply to its creation %s", async (_, number) => {
  const call = await untilPhase(rig.live, await placeCall(rig.live, number), "ended", 60_000);
  expect(call).toMatchObject({ status: "completed", endReason: "callee_hangup", carrier: { name: "twilio" } });
  expect(rig.callTo(number).timesRung).toBe(1);
});

test("requests that Twilio did not sign, and those about no call, are refused and change nothing", async () => {
  const id = await placeCall(rig.live, NUMBERS.talking);
  await untilPhase(rig.live, id, "talking");
  const { sid, statusUrl } = rig.callTo(NUMBERS.talking);
  const url = statusUrl ?? "";
  const send = async (to: string, form: Record<string, string>, token: string | null) => {
    const signature = token === null ? {} : { "x-twilio-signature": signTwilioRequest(token, to, form) };
    const headers = { "content-type": "application/x-www-form-urlencoded", ...signature };
    return (await fetch(to, { method: "POST", headers, body: new URLSearchParams(form) })).status;
  };
  const completed = { CallSid: sid, CallStatus: "completed" };
  expect(await send(url, completed, null)).toBe(403);
  expect(await send(url, completed, "another-token")).toBe(403);
  expect(await send(url.replace(/[^/]+$/, "A".repeat(32)), completed, AUTH_TOKEN)).toBe(403);
  expect(await send(url.replace(/wrk_[^/]+/, "wrk_unknown"), completed, AUTH_TOKEN)).toBe(403);
  expect(await send(url, { ...completed, CallSid: `CA${"0".repeat(32)}` }, AUTH_TOKEN)).toBe(204);
  // An earlier state again, as in a replay.
  expect(await send(url, { CallSid: sid, CallStatus: "ringing" }, AUTH_TOKEN)).toBe(204);
  expect(await send(url, { ...completed, Filler: "x".repeat(100_000) }, AUTH_TOKEN)).toBe(413);
  expect((await fetch(url.replace(/\/calls\/.*/, "/stream"))).status).toBe(403);
  expect(await getCall(rig.live, id)).toMatchObject({ phase: "talking" });
  await ask(rig.live.url, `/api/v1/calls/${id}/hangup`, { key: rig.live.key, body: {} });
  await untilPhase(rig.live, id, "ended");
  expect(await send(url, { CallSid: sid, CallStatus: "in-progress" }, AUTH_TOKEN)).toBe(204);
  expect(await getCall(rig.live, id)).toMatchObject({ phase: "ended", endReason: "api_hangup" });
});

test("with a wrong auth token the next trunk is tried, and without one the call says why it failed", async () => {
  const wrong = { ...TWILIO_TRUNK, name: "Wrong token", password: "not-the-token" };
  const trunkId = await rig.addTrunk(wrong, 0, "1302");
  const alone = await placeCall(rig.live, "+13025550112");
  const rerouted = await untilPhase(rig.live, alone, "ended");
  expect(rerouted).toMatchObject({ status: "completed", network: "Twilio" });
  expect(await timeline(alone)).toContain("call.rerouted");
  await rig.operate(`/trunks/${trunkId}`, { callerIds: ["+12025550198"] }, "PATCH");
  const id = await placeCall(rig.live, NUMBERS.wrongToken, { from: "+12025550198" });
  const failed = await untilPhase(rig.live, id, "ended");
  expect(failed).toMatchObject({ status: "failed", endReason: "carrier_rejected", carrier: { name: "twilio" } });
  expect(failed.carrier.reason).toContain("auth token");
  expect(rig.service().output()).not.toContain("not-the-token");
});

test("callees whose worker was killed are let go by its replacement, also one whose name it never learned, and are not rung again", async () => {
  const ringing = await placeCall(rig.live, NUMBERS.ringing);
  await untilPhase(rig.live, ringing, "ringing");
  const unnamed = await placeCall(rig.live, NUMBERS.unnamed);
  await until(
    async () => rig.twilio.calls.filter(({ to }) => to === NUMBERS.unnamed),
    (calls) => calls.length > 0,
    30_000,
  );
  await rig.killAndStart();
  for (const [id, number] of [
    [ringing, NUMBERS.ringing],
    [unnamed, NUMBERS.unnamed],
  ] as const) {
    const call = await untilPhase(rig.live, id, "ended", 40_000);
    expect(call).toMatchObject({ status: "failed", endReason: "worker_lost", carrier: { name: "twilio" } });
    await until(
      async () => rig.callTo(number).endedAtMs,
      (endedAtMs) => endedAtMs !== null,
      30_000,
    );
    expect(rig.callTo(number).timesRung).toBe(1);
    expect(await getCall(rig.live, id)).toEqual(call);
  }
});
