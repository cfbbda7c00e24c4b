import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { getCall, placeCall, untilPhase } from "../harness/calls.ts";
import { CALLER_ID, type PhoneVendor, type StandIn } from "./phone-vendors.ts";
import { openVendorScene, type VendorScene } from "./vendor-scene.ts";

const HANGS_UP = { answerAfterMs: 300, script: [{ waitMs: 800 }, { hangUp: true as const }] };
const STAYS = { answerAfterMs: 300, script: [{ waitMs: 120_000 }] };
const NEVER_ANSWERS = { answerAfterMs: 55_000, script: [] };
const NUMBERS = {
  hangsUp: "+12025550111",
  busy: "+12025550002",
  noAnswer: "+12025550003",
  pressesKeys: "+12025550112",
  lostReply: "+12025550113",
  serverError: "+12025550114",
  ringing: "+12025550117",
  unnamed: "+12025550118",
  talking: "+12025550119",
  rerouted: "+13025550111",
  wrongPassword: "+13025550112",
} as const;

/** Requests in the name of a vendor about a call that is talking. They change nothing. */
export type Attack<Server extends StandIn> = (
  rig: VendorScene<Server>,
  call: Server["calls"][number],
) => Promise<{
  /** The same about the call that has ended. */
  afterTheEnd(): Promise<void>;
}>;

/** The calls of an installation with one process over a trunk of a vendor, whatever goes wrong. */
export function testVendorCalls<Server extends StandIn>(vendor: PhoneVendor<Server>, attack: Attack<Server>): void {
  const { kind, trunk, passwordLabel, host } = vendor;
  let rig: VendorScene<Server>;

  beforeAll(async () => {
    rig = await openVendorScene(vendor, {
      [NUMBERS.hangsUp]: HANGS_UP,
      [NUMBERS.noAnswer]: NEVER_ANSWERS,
      [NUMBERS.pressesKeys]: { answerAfterMs: 300, script: [{ waitMs: 500 }, { press: "42" }, { waitMs: 120_000 }] },
      [NUMBERS.lostReply]: HANGS_UP,
      [NUMBERS.serverError]: HANGS_UP,
      [NUMBERS.ringing]: NEVER_ANSWERS,
      [NUMBERS.unnamed]: NEVER_ANSWERS,
      [NUMBERS.talking]: STAYS,
      [NUMBERS.rerouted]: HANGS_UP,
    });
    rig.vendor.faults.onCreate = (to) => {
      if (to === NUMBERS.lostReply) return "drop_reply";
      if (to === NUMBERS.serverError) return "error_after_dial";
      return to === NUMBERS.unnamed ? { lateReplyMs: 120_000 } : null;
    };
    await rig.addTrunk(trunk, 1);
  });
  afterAll(() => rig?.close());

  const timeline = async (id: string): Promise<string[]> =>
    (await ask(rig.live.url, `/api/v1/calls/${id}/events`, { key: rig.live.key })).body.data.map(
      ({ type }: { type: string }) => type,
    );
  const channelsTaken = async () =>
    (await rig.scene.query("select coalesce(sum(active_count), 0)::int as taken from trunk_channels"))[0]?.["taken"];
  const hangUp = (id: string) => ask(rig.live.url, `/api/v1/calls/${id}/hangup`, { key: rig.live.key, method: "POST" });

  test("a trunk is accepted with its account, and shown without the password", async () => {
    const refused = await rig.operate("/trunks", { ...trunk, name: "No number", callerIds: [], port: 5060 });
    expect(refused.status).toBe(422);
    expect(refused.body.error.details.map(({ param }: { param: string }) => param)).toEqual(["callerIds", "port"]);
    const [stored] = await rig.scene.query("select kind, host from trunks");
    expect(stored).toMatchObject({ kind, host });
    expect(rig.service().output()).not.toContain(trunk.password);
  });

  test("a live call goes out, is heard by its callee, and is reported like any other", async () => {
    const id = await placeCall(rig.live, NUMBERS.hangsUp);
    const call = await untilPhase(rig.live, id, "ended");
    expect(call).toMatchObject({
      status: "completed",
      endReason: "callee_hangup",
      endedBy: "callee",
      network: trunk.name,
      carrier: { name: kind },
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
    expect(rig.callTo(NUMBERS.hangsUp)).toMatchObject({ from: CALLER_ID, timesRung: 1 });
    const sent = await until(
      async () => rig.webhooks.filter(({ data }) => data.call?.id === id),
      (events) => events.some(({ type }) => type === "call.completed"),
      20_000,
    );
    expect(sent.map(({ type }) => type)).toContain("call.initiated");
    expect(await channelsTaken()).toBe(0);
  });

  test.each([
    ["busy", NUMBERS.busy, "busy"],
    ["not answered", NUMBERS.noAnswer, "no_answer"],
  ])("a line that is %s is reported as such", async (_, number, endReason) => {
    const id = await placeCall(rig.live, number, { ringTimeoutSeconds: 5 });
    const call = await untilPhase(rig.live, id, "ended");
    expect(call).toMatchObject({ status: "failed", endReason, carrier: { name: kind }, quality: null });
    expect(rig.callTo(number).endedAtMs).not.toBeNull();
  });

  test("keys arrive, and a hang-up reaches the phone", async () => {
    const id = await placeCall(rig.live, NUMBERS.pressesKeys);
    await until(
      () => timeline(id),
      (types) => types.filter((type) => type === "call.key_pressed").length === 2,
      30_000,
    );
    await hangUp(id);
    expect(await untilPhase(rig.live, id, "ended")).toMatchObject({ status: "completed", endReason: "api_hangup" });
    expect(rig.callTo(NUMBERS.pressesKeys).endedAtMs).not.toBeNull();
  });

  test.each([
    ["is lost", NUMBERS.lostReply],
    ["is a 500 although it dialed", NUMBERS.serverError],
  ])("a call is held, and its phone rings once, if the reply to its creation %s", async (_, number) => {
    const call = await untilPhase(rig.live, await placeCall(rig.live, number), "ended", 60_000);
    expect(call).toMatchObject({ status: "completed", endReason: "callee_hangup", carrier: { name: kind } });
    expect(rig.callTo(number).timesRung).toBe(1);
  });

  test("requests that the vendor did not sign, those about no call, and old ones are refused and change nothing", async () => {
    const id = await placeCall(rig.live, NUMBERS.talking);
    await untilPhase(rig.live, id, "talking");
    const { afterTheEnd } = await attack(rig, rig.callTo(NUMBERS.talking));
    expect(await getCall(rig.live, id)).toMatchObject({ phase: "talking" });
    await hangUp(id);
    const ended = await untilPhase(rig.live, id, "ended");
    expect(ended).toMatchObject({ endReason: "api_hangup", quality: { lossPercent: 0 } });
    await afterTheEnd();
    expect(await getCall(rig.live, id)).toMatchObject({ phase: "ended", endReason: "api_hangup" });
  });

  test("with a wrong password the next trunk is tried, and without one the call says why it failed", async () => {
    const wrong = { ...trunk, name: "Wrong password", password: "not-the-password" };
    const trunkId = await rig.addTrunk(wrong, 0, "1302");
    const alone = await placeCall(rig.live, NUMBERS.rerouted);
    const rerouted = await untilPhase(rig.live, alone, "ended");
    expect(rerouted).toMatchObject({ status: "completed", network: trunk.name });
    expect(await timeline(alone)).toContain("call.rerouted");
    await rig.operate(`/trunks/${trunkId}`, { callerIds: ["+12025550198"] }, "PATCH");
    const body = { phoneNumber: NUMBERS.wrongPassword, agentId: rig.live.agentId, engine: "local" };
    // The process learns of the change a moment later.
    const placed = await until(
      () => ask(rig.live.url, "/api/v1/calls", { key: rig.live.key, body: { ...body, from: "+12025550198" } }),
      ({ status }) => status === 200,
      10_000,
    );
    const failed = await untilPhase(rig.live, placed.body.data.id, "ended");
    expect(failed).toMatchObject({ status: "failed", endReason: "carrier_rejected", carrier: { name: kind } });
    expect(failed.carrier.reason).toContain(passwordLabel);
    expect(rig.service().output()).not.toContain("not-the-password");
  });

  test("callees whose worker was killed are let go by its replacement, also one whose name it never learned, and are not rung again", async () => {
    const ringing = await placeCall(rig.live, NUMBERS.ringing);
    await untilPhase(rig.live, ringing, "ringing");
    const unnamed = await placeCall(rig.live, NUMBERS.unnamed);
    await until(
      async () => rig.vendor.calls.filter(({ to }) => to === NUMBERS.unnamed),
      (calls) => calls.length > 0,
      30_000,
    );
    await rig.killAndStart();
    for (const [id, number] of [
      [ringing, NUMBERS.ringing],
      [unnamed, NUMBERS.unnamed],
    ] as const) {
      const call = await untilPhase(rig.live, id, "ended", 40_000);
      expect(call).toMatchObject({ status: "failed", endReason: "worker_lost", carrier: { name: kind } });
      await until(
        async () => rig.callTo(number).endedAtMs,
        (endedAtMs) => endedAtMs !== null,
        30_000,
      );
      expect(rig.callTo(number).timesRung).toBe(1);
      expect(await getCall(rig.live, id)).toEqual(call);
    }
  });
}
