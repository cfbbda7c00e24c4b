import { RingReader } from "@parley/audio/ring-reader";
import { describe, expect, it } from "vitest";
import {
  NO_PACKETS,
  openVirtualCarrier,
  type SilentLeg,
  type VirtualCarrier,
} from "../testing/open-virtual-carrier.ts";

function audioOf(rig: VirtualCarrier, index = 0): SilentLeg {
  const leg = rig.threads.flatMap(({ legs }) => legs)[index];
  if (leg === undefined) throw new Error(`there is no audio ${index}`);
  return leg;
}

describe("audio that fails", () => {
  it("on its way to the callee is reported, and the call continues", async () => {
    const rig = openVirtualCarrier();
    const { followed, types } = await rig.place();
    await rig.clock.advance(500);
    const audio = audioOf(rig);
    audio.report({ type: "not_heard", wasHeard: false, forMs: 10_000 });
    audio.report({ type: "heard_again" });
    await rig.clock.advance(60_000);
    expect(followed.events.slice(2)).toEqual([
      { type: "not_heard", wasHeard: false, forMs: 10_000 },
      { type: "heard_again" },
    ]);
    expect(types()).not.toContain("ended");
    expect(await rig.close()).toBe(0);
  });

  it("for too long ends the call as timed out", async () => {
    const rig = openVirtualCarrier();
    const { followed, types } = await rig.place();
    await rig.clock.advance(500);
    const audio = audioOf(rig);
    audio.report({ type: "audio_missing" });
    audio.report({ type: "audio_returned" });
    audio.report({ type: "audio_missing" });
    audio.report({ type: "media_timed_out" });
    await rig.clock.advance(500);
    expect(types()).toEqual(["ringing", "answered", "audio_missing", "audio_returned", "audio_missing", "ended"]);
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

  it.each(["nowhere.test", "broken.test"])(
    "for lack of an address behind the name %s in the answer ends the call instead of leaving it silent",
    async (name) => {
      const changeAnswer = (sdp: string) => sdp.replace(/^c=.*$/m, `c=IN IP4 ${name}`);
      const rig = openVirtualCarrier({ planA: { changeAnswer } });
      const { followed } = await rig.place();
      await rig.clock.advance(500);
      expect(followed.events.at(-1)).toMatchObject({
        type: "ended",
        cause: "lost",
        reason: `No address was found for ${name}, where audio should go.`,
      });
      expect(rig.farA.peer.summary().at(-1)).toBe("BYE");
      expect(await rig.close()).toBe(0);
    },
  );

  it("to come from an answer that names no address is missed, and nothing is sent meanwhile", async () => {
    const changeAnswer = (sdp: string) => sdp.replace(/^c=.*$/m, "c=IN IP4 0.0.0.0");
    const rig = openVirtualCarrier({ planA: { changeAnswer } });
    const { types } = await rig.place();
    await rig.clock.advance(500);
    expect(types()).toEqual(["ringing", "answered"]);
    expect(audioOf(rig).setups).toMatchObject([{ remote: null, isFinal: true, direction: "recvonly" }]);
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

  it("on a port taken by another program uses the next one", async () => {
    const rig = openVirtualCarrier({ ports: [20_000, 20_007] });
    const [thread] = rig.threads;
    if (thread !== undefined) thread.whyNot = (port) => (port < 20_004 ? "bind EADDRINUSE" : null);
    await rig.place();
    expect(audioOf(rig).toOpen.rtpPort).toBe(20_004);
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
    audioOf(rig).report({ type: "dtmf", key: "7", durationMs: 90 });
    const headers = [["Content-Type", "application/dtmf-relay"]] as const;
    rig.farA.peer.ask(call.invite, "INFO", { toTag: call.tag, headers, sdp: "Signal=#\r\nDuration=160\r\n" });
    leg.sendDtmf("12");
    await rig.clock.advance(100);
    expect(followed.events.slice(2)).toEqual([
      { type: "dtmf", key: "7", durationMs: 90 },
      { type: "dtmf", key: "#", durationMs: 160 },
    ]);
    expect(audioOf(rig).keys).toEqual(["12"]);
    expect(await rig.close()).toBe(0);
  });

  it("counts a key once that the far end sends both ways", async () => {
    const rig = openVirtualCarrier();
    const { followed } = await rig.place();
    await rig.clock.advance(500);
    const call = rig.farA.callTo("+15550001");
    const headers = [["Content-Type", "application/dtmf"]] as const;
    rig.farA.peer.ask(call.invite, "INFO", { toTag: call.tag, headers, sdp: "7" });
    await rig.clock.advance(100);
    audioOf(rig).report({ type: "dtmf", key: "7", durationMs: 90 });
    await rig.clock.advance(100);
    expect(followed.events.slice(2).map(({ type }) => type)).toEqual(["dtmf"]);
    expect(await rig.close()).toBe(0);
  });

  it("has no statistics before there was audio, and the last ones after the end", async () => {
    const rig = openVirtualCarrier();
    const { leg } = await rig.place();
    expect(await leg.statistics()).toBeNull();
    audioOf(rig).statistics = { ...NO_PACKETS, packetsSent: 40, packetsReceived: 38, packetsLost: 2, mos: 4.1 };
    const expected = {
      packetsSent: 40,
      packetsReceived: 38,
      packetsLost: 2,
      jitterMs: 0,
      roundTripMs: null,
      isHeard: null,
      mos: 4.1,
    };
    expect(await leg.statistics()).toEqual(expected);
    expect(await rig.close()).toBe(0);
    expect(await leg.statistics()).toEqual(expected);
  });

  it("reports packets that did not belong to the call when it ends", async () => {
    const rig = openVirtualCarrier();
    await rig.place();
    audioOf(rig).statistics = { ...NO_PACKETS, packetsForeign: 3, packetsUnauthentic: 1 };
    expect(await rig.close()).toBe(0);
    expect(rig.refused).toEqual(["bad_media: 3 packets of strangers, 0 malformed, 1 not authentic, 0 replayed"]);
  });
});
