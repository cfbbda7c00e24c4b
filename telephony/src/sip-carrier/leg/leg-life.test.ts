import { describe, expect, it } from "vitest";
import type { SilentLeg } from "../testing/open-virtual-carrier.ts";
import { openVirtualCarrier, type VirtualCarrier } from "../testing/open-virtual-carrier.ts";

function audioOf(rig: VirtualCarrier, index = 0): SilentLeg {
  const leg = rig.threads.flatMap(({ legs }) => legs)[index];
  if (leg === undefined) throw new Error(`there is no audio ${index}`);
  return leg;
}

describe("hanging up", () => {
  it("before the trunk said anything cancels as soon as it does", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" } });
    const { leg, followed } = await rig.place();
    const hungUp = leg.hangup();
    await rig.clock.advance(3_500);
    expect(followed.events).toEqual([]);
    const invite = rig.farA.peer.request("INVITE");
    rig.farA.peer.reply(invite, 100);
    await rig.clock.advance(100);
    expect(rig.farA.peer.requests("CANCEL")).toHaveLength(1);
    await hungUp;
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled", code: null, by: "us" }]);
    expect(rig.farB.calls.size).toBe(0);
    expect(await rig.close()).toBe(0);
  });

  it("at a trunk that never says anything ends in a bounded time, and no other trunk is tried", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" } });
    const { leg, followed } = await rig.place();
    const hungUp = leg.hangup();
    await rig.clock.advance(33_000);
    await hungUp;
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled", by: "us" }]);
    expect(rig.farB.calls.size).toBe(0);
    expect(await rig.close()).toBe(0);
  });

  it("while an answer crosses the cancel leaves no one on the line", async () => {
    const rig = openVirtualCarrier({ planA: { answersAfterMs: null } });
    const { leg, followed } = await rig.place();
    await rig.clock.advance(100);
    const call = rig.farA.callTo("+15550001");
    rig.network.dropWhere((text) => text.startsWith("CANCEL"));
    const hungUp = leg.hangup();
    rig.farA.peer.reply(call.invite, 200, { toTag: call.tag });
    call.state = "talking";
    await rig.clock.advance(1_000);
    await hungUp;
    expect(rig.farA.peer.summary().slice(-2)).toEqual(["ACK", "BYE"]);
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "ended"]);
    expect(followed.events.at(-1)).toMatchObject({ cause: "canceled", by: "us" });
    expect(await rig.close()).toBe(0);
  });

  it("at a trunk that does not answer the BYE ends as lost after 32 seconds", async () => {
    const rig = openVirtualCarrier();
    const { leg, followed } = await rig.place();
    await rig.clock.advance(500);
    rig.network.dropWhere((text) => text.startsWith("BYE"));
    const hungUp = leg.hangup();
    await rig.clock.advance(33_000);
    await hungUp;
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "lost", by: "network" });
    expect(await rig.close()).toBe(0);
  });

  it("while the answer is written down ends it again", async () => {
    const rig = openVirtualCarrier();
    rig.journal.commitAnswer = () => new Promise(() => undefined);
    const { leg, followed } = await rig.place();
    await rig.clock.advance(500);
    const hungUp = leg.hangup();
    await rig.clock.advance(500);
    await hungUp;
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "ended"]);
    expect(rig.farA.peer.summary()).toEqual(["INVITE", "ACK", "BYE"]);
    expect(await rig.close()).toBe(0);
  });
});

describe("the other end", () => {
  it("that no longer knows the call when it is refreshed has lost it, and no hang-up is reported", async () => {
    const rig = openVirtualCarrier({ planA: { answersAfterMs: 10 }, sipA: { sessionExpiresS: 90 } });
    rig.farA.peer.on("UPDATE", (request) => rig.farA.peer.reply(request, 481));
    const { followed } = await rig.place();
    await rig.clock.advance(100);
    rig.farA.peer.on("INVITE", (request) => rig.farA.peer.reply(request, 481));
    await rig.clock.advance(60_000);
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "lost", by: "network" });
    expect(rig.farA.peer.requests("BYE")).toEqual([]);
    expect(await rig.close()).toBe(0);
  });

  it("hangs up and says why", async () => {
    const rig = openVirtualCarrier();
    const { followed } = await rig.place();
    await rig.clock.advance(500);
    const call = rig.farA.callTo("+15550001");
    rig.farA.hangUp(call, [["Reason", 'Q.850;cause=16;text="Normal call clearing"']]);
    await rig.clock.advance(100);
    expect(followed.events.at(-1)).toEqual({
      type: "ended",
      cause: "hangup",
      code: null,
      reason: "Normal call clearing",
      by: "callee",
    });
    expect(await rig.close()).toBe(0);
  });

  it("plays an announcement before the answer, which is heard provisionally", async () => {
    const rig = openVirtualCarrier({ planA: { hasEarlyMedia: true, answersAfterMs: 2_000 } });
    const { types } = await rig.place();
    await rig.clock.advance(1_000);
    expect(types()).toEqual(["ringing", "early_media"]);
    expect(audioOf(rig).setups.map(({ isFinal }) => isFinal)).toEqual([false]);
    await rig.clock.advance(2_000);
    expect(types()).toEqual(["ringing", "early_media", "answered"]);
    expect(audioOf(rig).setups.at(-1)).toMatchObject({
      isFinal: true,
      codec: "PCMU",
      direction: "sendrecv",
      dtmfPayloadType: 101,
      remote: { host: "127.0.0.1", port: 9 },
      remoteControl: { host: "127.0.0.1", port: 10 },
    });
    expect(await rig.close()).toBe(0);
  });

  it("rings once, however often it is reported", async () => {
    const rig = openVirtualCarrier({ planA: { answersAfterMs: null } });
    const { types } = await rig.place();
    await rig.clock.advance(100);
    const call = rig.farA.callTo("+15550001");
    for (const status of [180, 181, 183]) rig.farA.peer.reply(call.invite, status, { toTag: call.tag });
    await rig.clock.advance(100);
    expect(types()).toEqual(["ringing"]);
    expect(await rig.close()).toBe(0);
  });

  it.each([
    ["a codec we do not have", (sdp: string) => sdp.replace(/RTP\/AVP .*/, "RTP/AVP 18"), /codec/],
    ["no audio at all", (sdp: string) => sdp.replace(/m=audio \d+/, "m=audio 0"), /refuses the audio/],
    ["encryption nobody asked for", (sdp: string) => sdp.replace("RTP/AVP", "RTP/SAVP"), /encrypted/],
    ["something unreadable", () => "v=1\r\n", /cannot be read/],
    [
      "our own address and port",
      (sdp: string) => sdp.replace(/^c=.*$/m, "c=IN IP4 10.0.0.1").replace(/m=audio \d+/, "m=audio 20000"),
      /our own audio/,
    ],
    ["nothing about audio", () => undefined, /says nothing/],
  ] as const)("answers with %s, and the call is ended with the reason", async (_, changeAnswer, reason) => {
    const rig = openVirtualCarrier({ planA: { changeAnswer } });
    const { followed, types } = await rig.place();
    await rig.clock.advance(500);
    expect(types()).toEqual(["ringing", "ended"]);
    expect(followed.events.at(-1)).toMatchObject({
      cause: "rejected",
      code: null,
      detail: "unusable_answer",
      by: "us",
      reason: expect.stringMatching(reason),
    });
    expect(rig.farA.peer.summary()).toEqual(["INVITE", "ACK", "BYE"]);
    expect(rig.refused).toHaveLength(1);
    expect(rig.journal.ends).toMatchObject([{ dialId: "dial-1", end: { cause: "rejected", code: null } }]);
    expect(await rig.close()).toBe(0);
  });

  it("answers with something unusable and never confirms the hang-up; the call ends by that answer", async () => {
    const rig = openVirtualCarrier({ planA: { changeAnswer: () => undefined } });
    rig.farA.peer.on("BYE", () => undefined);
    const { followed } = await rig.place();
    await rig.clock.advance(5_000);
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "rejected", detail: "unusable_answer" });
    const sentByThen = rig.farA.peer.requests("BYE").length;
    await rig.clock.advance(30_000);
    expect(rig.farA.peer.requests("BYE").length).toBeGreaterThan(sentByThen);
    expect(await rig.close()).toBe(0);
  });

  it("answers without encryption where we require it, and the call is ended", async () => {
    const changeAnswer = (sdp: string) => sdp.replace("RTP/SAVP", "RTP/AVP").replace(/a=crypto.*\r\n/g, "");
    const planA = { srtp: "optional", changeAnswer } as const;
    const rig = openVirtualCarrier({ trunkA: { srtp: "required" }, planA });
    const { followed } = await rig.place();
    await rig.clock.advance(500);
    expect(rig.farA.peer.request("INVITE").body.toString()).toContain("RTP/SAVP");
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", code: null, reason: "the answer is not encrypted" });
    expect(await rig.close()).toBe(0);
  });

  it("takes encryption where it is offered, and each call has its own keys", async () => {
    const rig = openVirtualCarrier({ trunkA: { srtp: "optional" }, planA: { srtp: "optional" } });
    await rig.place();
    await rig.place();
    await rig.clock.advance(500);
    const keys = [0, 1].map((index) => audioOf(rig, index).setups.at(-1)?.srtp?.send.masterKey);
    expect(keys[0]).toHaveLength(16);
    expect(keys[0]).not.toEqual(keys[1]);
    expect(await rig.close()).toBe(0);
  });
});
