import { RingReader } from "@parley/audio/ring-reader";
import { describe, expect, it } from "vitest";
import { openVirtualCarrier, type VirtualCarrier } from "./testing/open-virtual-carrier.ts";
import { NO_PACKETS, type SilentLeg } from "./testing/silent-thread.ts";

function soundOf(rig: VirtualCarrier, index = 0): SilentLeg {
  const leg = rig.threads.flatMap(({ legs }) => legs)[index];
  if (leg === undefined) throw new Error(`there is no sound ${index}`);
  return leg;
}

describe("hanging up", () => {
  it("before the trunk said anything cancels as soon as it does", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" } });
    const { leg, followed } = await rig.place();
    const hungUp = leg.hangup();
    await rig.clock.advance(5_000);
    expect(followed.events).toEqual([]);
    const invite = rig.farA.peer.request("INVITE");
    rig.farA.peer.reply(invite, 100);
    await rig.clock.advance(100);
    expect(rig.farA.peer.requests("CANCEL")).toHaveLength(1);
    await hungUp;
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled", code: 487, by: "us" }]);
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

  it("while an answer crosses the cancel leaves nobody on the line", async () => {
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
    expect(types()).toEqual(["ringing", "earlyMedia"]);
    expect(soundOf(rig).setups.map(({ isFinal }) => isFinal)).toEqual([false]);
    await rig.clock.advance(2_000);
    expect(types()).toEqual(["ringing", "earlyMedia", "answered"]);
    expect(soundOf(rig).setups.at(-1)).toMatchObject({
      isFinal: true,
      codec: "PCMU",
      direction: "sendrecv",
      dtmfPayloadType: 101,
      remote: { host: "127.0.0.1", port: 9 },
      remoteControl: { host: "127.0.0.1", port: 10 },
    });
    expect(await rig.close()).toBe(0);
  });

  it("rings once, however often it says so", async () => {
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
    ["no sound at all", (sdp: string) => sdp.replace(/m=audio \d+/, "m=audio 0"), /refuses the sound/],
    ["encryption nobody asked for", (sdp: string) => sdp.replace("RTP/AVP", "RTP/SAVP"), /encrypted/],
    ["something unreadable", () => "v=1\r\n", /cannot be read/],
    ["nothing about sound", () => undefined, /says nothing/],
  ] as const)("answers with %s, and the call is ended with the reason", async (_, changeAnswer, reason) => {
    const rig = openVirtualCarrier({ planA: { changeAnswer } });
    const { followed, types } = await rig.place();
    await rig.clock.advance(500);
    expect(types()).toEqual(["ringing", "ended"]);
    expect(followed.events.at(-1)).toMatchObject({
      cause: "rejected",
      code: 488,
      by: "us",
      reason: expect.stringMatching(reason),
    });
    expect(rig.farA.peer.summary()).toEqual(["INVITE", "ACK", "BYE"]);
    expect(rig.refused).toHaveLength(1);
    expect(rig.journal.ends).toMatchObject([{ dialId: "dial-1", end: { code: 488 } }]);
    expect(await rig.close()).toBe(0);
  });

  it("answers without encryption where we require it, and the call is ended", async () => {
    const changeAnswer = (sdp: string) => sdp.replace("RTP/SAVP", "RTP/AVP").replace(/a=crypto.*\r\n/g, "");
    const planA = { srtp: "optional", changeAnswer } as const;
    const rig = openVirtualCarrier({ trunkA: { srtp: "required" }, planA });
    const { followed } = await rig.place();
    await rig.clock.advance(500);
    expect(rig.farA.peer.request("INVITE").body.toString()).toContain("RTP/SAVP");
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", code: 488, reason: "the answer is not encrypted" });
    expect(await rig.close()).toBe(0);
  });

  it("takes encryption where it is offered, and each call has its own keys", async () => {
    const rig = openVirtualCarrier({ trunkA: { srtp: "optional" }, planA: { srtp: "optional" } });
    await rig.place();
    await rig.place();
    await rig.clock.advance(500);
    const keys = [0, 1].map((index) => soundOf(rig, index).setups.at(-1)?.srtp?.send.masterKey);
    expect(keys[0]).toHaveLength(16);
    expect(keys[0]).not.toEqual(keys[1]);
    expect(await rig.close()).toBe(0);
  });
});

describe("sound that fails", () => {
  it("for too long ends the call as timed out", async () => {
    const rig = openVirtualCarrier();
    const { followed, types } = await rig.place();
    await rig.clock.advance(500);
    const sound = soundOf(rig);
    sound.report({ type: "audio_missing" });
    sound.report({ type: "audio_returned" });
    sound.report({ type: "audio_missing" });
    sound.report({ type: "media_timed_out" });
    await rig.clock.advance(500);
    expect(types()).toEqual(["ringing", "answered", "audioMissing", "audioReturned", "audioMissing", "ended"]);
    expect(followed.events.at(-1)).toMatchObject({ cause: "media_timeout", code: null, by: "network" });
    expect(rig.farA.peer.summary().at(-1)).toBe("BYE");
    expect(await rig.close()).toBe(0);
  });

  it("with its thread ends every leg of it as lost, and the next call gets another thread", async () => {
    const rig = openVirtualCarrier();
    const talking = await rig.place();
    await rig.clock.advance(500);
    const ringing = await rig.place();
    await rig.clock.advance(15);
    rig.threads[0]?.die();
    await rig.clock.advance(500);
    for (const { followed } of [talking, ringing]) {
      expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "lost", reason: "the media thread ended" });
    }
    const heard = new RingReader(talking.leg.media.heard);
    expect(heard.isEnded).toBe(true);
    const next = await rig.place();
    await rig.clock.advance(500);
    expect(next.types()).toEqual(["ringing", "answered"]);
    expect(rig.threads).toHaveLength(2);
    expect(await rig.close()).toBe(0);
  });

  it("to open sends nothing, and holds nothing", async () => {
    const rig = openVirtualCarrier({ ports: [20_000, 20_003] });
    const [thread] = rig.threads;
    if (thread !== undefined) thread.whyNot = () => "bind EACCES";
    await expect(rig.place()).rejects.toThrow("EACCES");
    expect(rig.carrier.resourcesHeld()).toMatchObject({ legs: 0, ports: 0, mediaLegs: 0 });
    expect(rig.farA.peer.received).toEqual([]);
    expect(await rig.close()).toBe(0);
  });

  it("on a port that somebody else has takes the next one", async () => {
    const rig = openVirtualCarrier({ ports: [20_000, 20_007] });
    const [thread] = rig.threads;
    if (thread !== undefined) thread.whyNot = (port) => (port < 20_004 ? "bind EADDRINUSE" : null);
    await rig.place();
    expect(soundOf(rig).toOpen.rtpPort).toBe(20_004);
    expect(rig.carrier.resourcesHeld()["ports"]).toBe(1);
    expect(await rig.close()).toBe(0);
  });

  it("for lack of ports refuses the dial, until another call gave its ports back", async () => {
    const rig = openVirtualCarrier({ ports: [20_000, 20_001] });
    const { leg } = await rig.place();
    await rig.clock.advance(500);
    await expect(rig.place()).rejects.toThrow("every media port is in use");
    const hungUp = leg.hangup();
    await rig.clock.advance(11_000);
    await hungUp;
    const { types } = await rig.place();
    await rig.clock.advance(500);
    expect(types()).toEqual(["ringing", "answered"]);
    expect(await rig.close()).toBe(0);
  });
});

describe("keys and statistics", () => {
  it("hears keys as events and as INFO, and presses ours while talking", async () => {
    const rig = openVirtualCarrier();
    const { leg, followed } = await rig.place();
    await rig.clock.advance(500);
    const call = rig.farA.callTo("+15550001");
    soundOf(rig).report({ type: "dtmf", key: "7", durationMs: 90 });
    const headers = [["Content-Type", "application/dtmf-relay"]] as const;
    rig.farA.peer.ask(call.invite, "INFO", { toTag: call.tag, headers, sdp: "Signal=#\r\nDuration=160\r\n" });
    leg.sendDtmf("12");
    await rig.clock.advance(100);
    expect(followed.events.slice(2)).toEqual([
      { type: "dtmf", key: "7", durationMs: 90 },
      { type: "dtmf", key: "#", durationMs: 160 },
    ]);
    expect(soundOf(rig).keys).toEqual(["12"]);
    expect(await rig.close()).toBe(0);
  });

  it("has no statistics before there was sound, and the last ones after the end", async () => {
    const rig = openVirtualCarrier();
    const { leg } = await rig.place();
    expect(await leg.statistics()).toBeNull();
    soundOf(rig).statistics = { ...NO_PACKETS, packetsSent: 40, packetsReceived: 38, packetsLost: 2, mos: 4.1 };
    const expected = { packetsSent: 40, packetsReceived: 38, packetsLost: 2, jitterMs: 0, roundTripMs: null, mos: 4.1 };
    expect(await leg.statistics()).toEqual(expected);
    expect(await rig.close()).toBe(0);
    expect(await leg.statistics()).toEqual(expected);
  });

  it("tells of packets that did not belong to the call when it ends", async () => {
    const rig = openVirtualCarrier();
    await rig.place();
    soundOf(rig).statistics = { ...NO_PACKETS, packetsForeign: 3, packetsUnauthentic: 1 };
    expect(await rig.close()).toBe(0);
    expect(rig.refused).toEqual(["bad_media: 3 packets of strangers, 0 malformed, 1 not authentic, 0 replayed"]);
  });
});
