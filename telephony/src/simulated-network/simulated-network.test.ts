import { RingReader } from "@parley/audio/ring-reader";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Dial, SimulatedCalleePlan } from "../carrier.ts";
import { describeAudioConformance } from "../conformance/audio-conformance.ts";
import { describeCarrierConformance } from "../conformance/carrier-conformance.ts";
import { followLeg } from "../conformance/follow-leg.ts";
import { RING_MAX_MS, TALK_MAX_MS } from "./callee-behaviours.ts";
import { createSimulatedNetwork } from "./simulated-network.ts";
import { openAudioRig, openVirtualRig, type VirtualRig } from "./testing/open-virtual-rig.ts";

describeCarrierConformance("the simulated network in this process", async () => openVirtualRig());

describeAudioConformance("the simulated network in this process", async () => openAudioRig());

describeCarrierConformance("the simulated network without audio", async () => openVirtualRig({ audio: false }));

describe("the simulated network without audio", () => {
  let rig: VirtualRig;
  let dialsMade = 0;

  beforeEach(() => {
    rig = openVirtualRig({ audio: false });
  });

  afterEach(async () => {
    await rig.close();
    expect(rig.clock.pendingTimers()).toBe(0);
  });

  function dialTo(to: string, simulation?: SimulatedCalleePlan): Dial {
    dialsMade += 1;
    const dial = { callId: `call-${dialsMade}`, dialId: `dial-${dialsMade}`, to, from: null };
    return simulation === undefined ? dial : { ...dial, simulation };
  }

  async function statesAfter(durationMs: number, dial: Dial) {
    await rig.carrier.place(dial);
    await rig.clock.advance(durationMs);
    return rig.carrier.dialed().find(({ dialId }) => dialId === dial.dialId);
  }

  it("takes about eight seconds for a call to an ordinary number, three of them ringing", async () => {
    const record = await statesAfter(10_000, dialTo("+442071231234"));
    expect(record?.states).toEqual([
      { name: "dialing", atMs: 0 },
      { name: "ringing", atMs: 300 },
      { name: "talking", atMs: 3_300 },
      { name: "ended", atMs: 7_800 },
    ]);
  });

  it("gives up on an unanswered phone after three minutes", async () => {
    const record = await statesAfter(300 + RING_MAX_MS, dialTo("+15550100003"));
    expect(record?.end).toMatchObject({ cause: "no_answer", code: 480, by: "network" });
  });

  it("gives up sooner when the dial says how long it may ring", async () => {
    const record = await statesAfter(20_000, { ...dialTo("+15550100003"), ringTimeoutMs: 12_000 });
    expect(record?.states.at(-1)).toEqual({ name: "ended", atMs: 12_300 });
    expect(record?.end).toMatchObject({ cause: "no_answer", code: 480 });
  });

  it("ends a connection that both sides forgot after two hours", async () => {
    const record = await statesAfter(3_300 + TALK_MAX_MS, dialTo("+15550100013"));
    expect(record?.end).toMatchObject({ cause: "hangup", code: null, by: "network" });
  });

  it.each([
    ["0001", 4_500, { cause: "hangup", by: "callee" }],
    ["0002", null, { cause: "busy", code: 486 }],
    ["0003", null, { cause: "no_answer", code: 480 }],
    ["0004", null, { cause: "declined", code: 603 }],
    ["0005", null, { cause: "invalid_number", code: 404 }],
    ["0006", null, { cause: "unavailable", code: 503 }],
    ["0007", 30_000, { cause: "hangup", by: "callee" }],
    ["0008", 20_000, { cause: "hangup", by: "callee" }],
    ["0009", TALK_MAX_MS, { cause: "hangup", by: "network" }],
    ["0010", 12_000, { cause: "hangup", by: "callee" }],
    ["0011", 1_500, { cause: "hangup", by: "callee" }],
    ["0012", 12_000, { cause: "hangup", by: "callee" }],
    ["0013", TALK_MAX_MS, { cause: "hangup", by: "network" }],
    ["0014", 25_000, { cause: "hangup", by: "callee" }],
    ["0015", 10_000, { cause: "hangup", by: "callee" }],
    ["0016", 12_000, { cause: "hangup", by: "callee" }],
    ["0017", 45_000, { cause: "hangup", by: "callee" }],
    ["0018", 8_000, { cause: "hangup", by: "callee" }],
    ["0019", 12_000, { cause: "hangup", by: "callee" }],
  ])("lets the number that ends in %s talk for %s ms", async (digits, talkMs, end) => {
    const record = await statesAfter(2 * TALK_MAX_MS, dialTo(`+4930555${digits}`));
    const answeredAtMs = record?.states.find(({ name }) => name === "talking")?.atMs;
    const endedAtMs = record?.states.at(-1)?.atMs ?? Number.NaN;
    expect(answeredAtMs === undefined ? null : endedAtMs - answeredAtMs).toBe(talkMs);
    expect(record?.end).toMatchObject(end);
  });

  it("follows a script after answering", async () => {
    const script = [{ waitMs: 1_000 }, { waitMs: 500 }, { hangUp: true }, { waitMs: 9_000 }] as const;
    const record = await statesAfter(60_000, dialTo("+15550100001", { answerAfterMs: 0, script }));
    expect(record?.states.map(({ atMs }) => atMs)).toEqual([0, 300, 300, 1_800]);
    expect(record?.end).toMatchObject({ cause: "hangup", by: "callee" });
  });

  it("keeps the callee on the line when its script ends without hanging up", async () => {
    const record = await statesAfter(3_600_000, dialTo("+15550100001", { script: [{ waitMs: 100 }] }));
    expect(record?.states.map(({ name }) => name)).toEqual(["dialing", "ringing", "talking"]);
  });

  it("divides every delay by its speed", async () => {
    const clock = createVirtualClock();
    const network = createSimulatedNetwork({ clock, speed: 10 });
    await network.place(dialTo("+15550100001"));
    await clock.advance(780);
    expect(network.dialed()[0]?.states.map(({ atMs }) => atMs)).toEqual([0, 30, 330, 780]);
  });

  it("rejects a speed at which time would stand still", () => {
    expect(() => createSimulatedNetwork({ clock: rig.clock, speed: 0 })).toThrow(RangeError);
    expect(() => createSimulatedNetwork({ clock: rig.clock, speed: Number.NaN })).toThrow(RangeError);
  });

  it("rejects audio at any speed but real time", () => {
    expect(() => createSimulatedNetwork({ clock: rig.clock, speed: 2, audio: true })).toThrow(RangeError);
  });

  it("takes for a line as long as it would take to say it, and presses keys", async () => {
    const script = [{ say: "Yes, that is fine." }, { press: "12" }, { hangUp: true }] as const;
    const dial = dialTo("+15550100001", { answerAfterMs: 0, script });
    const followed = followLeg(await rig.carrier.place(dial));
    await rig.clock.advance(20_000);
    expect(followed.events).toMatchObject([
      { type: "ringing" },
      { type: "answered" },
      { type: "dtmf", key: "1" },
      { type: "dtmf", key: "2" },
      { type: "ended", by: "callee" },
    ]);
    const [answered, ended] =
      rig.carrier
        .dialed()[0]
        ?.states.slice(-2)
        .map(({ atMs }) => atMs) ?? [];
    expect((ended ?? 0) - (answered ?? 0)).toBeGreaterThan(1_000);
  });

  it("leaves the rings of a leg where they are, and ends them with it", async () => {
    const leg = await rig.carrier.place(dialTo("+15550100009"));
    const heard = new RingReader(leg.media.heard, 0);
    await rig.clock.advance(10_000);
    expect([heard.availableSamples, heard.isEnded]).toEqual([0, false]);
    await leg.hangup();
    expect(heard.isEnded).toBe(true);
    expect(await leg.statistics()).toBeNull();
  });

  it("never rings a dial that arrives after it was ended", async () => {
    const dial = dialTo("+15550100001");
    expect(await rig.carrier.endOrphan(dial)).toBe(true);
    const followed = followLeg(await rig.carrier.place(dial));
    await rig.clock.advance(60_000);
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled", by: "us" }]);
    expect(rig.carrier.counts()).toEqual({ dialed: 0, duplicates: 0, barred: 1, live: 0 });
  });

  it("shows a call that was dialed twice under two dialIds", async () => {
    await rig.carrier.place({ ...dialTo("+15550100001"), callId: "call-twice" });
    await rig.carrier.place({ ...dialTo("+15550100001"), callId: "call-twice" });
    expect(rig.carrier.dialed().map(({ callId }) => callId)).toEqual(["call-twice", "call-twice"]);
  });

  it("counts a duplicate on the record of the dial that rang", async () => {
    const dial = dialTo("+15550100001");
    await rig.carrier.place(dial);
    await rig.carrier.place(dial);
    expect(rig.carrier.dialed()).toMatchObject([{ dialId: dial.dialId, placedCount: 2 }]);
    expect(rig.carrier.counts()).toEqual({ dialed: 1, duplicates: 1, barred: 0, live: 1 });
  });

  it("forgets the oldest ended dials beyond its limit but still counts them", async () => {
    const network = createSimulatedNetwork({ clock: rig.clock, audio: false, recordsMax: 2 });
    const stays = dialTo("+15550100009");
    await network.place(stays);
    const dials = [dialTo("+15550100002"), dialTo("+15550100002"), dialTo("+15550100002")];
    for (const dial of dials) {
      await network.place(dial);
      await rig.clock.advance(5_000);
    }
    expect(network.dialed().map(({ dialId }) => dialId)).toEqual([stays.dialId, dials[2]?.dialId]);
    expect(network.counts()).toEqual({ dialed: 4, duplicates: 0, barred: 0, live: 1 });
    await network.close();
  });

  it("keeps the records of live legs beyond its limit, until they end", async () => {
    const network = createSimulatedNetwork({ clock: rig.clock, audio: false, recordsMax: 1 });
    await network.place(dialTo("+15550100009"));
    await network.place(dialTo("+15550100009"));
    expect(network.dialed()).toHaveLength(2);
    await network.close();
    expect(network.dialed()).toHaveLength(1);
    expect(network.counts()).toEqual({ dialed: 2, duplicates: 0, barred: 0, live: 0 });
  });
});
