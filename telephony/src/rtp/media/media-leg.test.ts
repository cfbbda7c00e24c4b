import { randomBytes } from "node:crypto";
import { samplesIn } from "@parley/audio/frame";
import { peakOf, rmsOf } from "@parley/audio/level";
import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { OpusEncoder } from "../codec/opus.ts";
import { writeRtpHeader } from "../packet.ts";
import type { SrtpKeying } from "../srtp/srtp-keys.ts";
import { bestCorrelation } from "../testing/best-correlation.ts";
import type { PathConditions } from "../testing/leg-pair.ts";
import { createLegPair, type LegPair, setupTowards } from "../testing/leg-pair.ts";
import { speechLike } from "../testing/speech-like.ts";

const speech = speechLike(10_000, 21);
const otherSpeech = speechLike(10_000, 22);

function connectedPair(conditions: PathConditions, changes: Parameters<typeof setupTowards>[1] = {}): LegPair {
  const pair = createLegPair(conditions);
  pair.left.leg.configure(setupTowards(pair.right.address, changes), 0);
  pair.right.leg.configure(setupTowards(pair.left.address, changes), 0);
  return pair;
}

function likeness(sent: Int16Array, heard: Int16Array, start = 16_000): number {
  return bestCorrelation(sent, heard, { start, count: 16_000, lagMin: 100, lagMax: 3000 }).correlation;
}

/** The library is loaded once, and each codec a moment after it was asked for. */
async function opusIsReady(): Promise<void> {
  const encoder = new OpusEncoder();
  await encoder.ready;
  encoder.close();
  await new Promise((resolve) => setImmediate(resolve));
}

function keying(): SrtpKeying {
  return { suite: "AES_CM_128_HMAC_SHA1_80", masterKey: randomBytes(16), masterSalt: randomBytes(14) };
}

describe("a media leg", () => {
  it("carries a two-minute call over a bad network, and says how it was", () => {
    const minutes = speechLike(120_000, 5);
    const conditions = { seed: 31, delayMs: 40, jitterMs: 8, lossShare: 0.01, lossBurst: 2, reorderShare: 0.01 };
    const pair = connectedPair(conditions);
    pair.left.say(minutes);
    const startedMs = performance.now();
    pair.run(120_000);
    const tookMs = performance.now() - startedMs;
    const left = pair.left.leg.statistics();
    const right = pair.right.leg.statistics();
    console.log(`2 minutes in ${tookMs.toFixed(0)} ms; ${JSON.stringify(right)}`);
    expect(right.packetsReceived + right.packetsLost).toBeGreaterThan(5_990);
    expect(right.packetsLost).toBeGreaterThan(20);
    expect(left.roundTripMs).toBeGreaterThan(75);
    expect(left.roundTripMs).toBeLessThan(130);
    expect(left.farLossShare).not.toBeNull();
    expect(right.mos).toBeGreaterThan(3.8);
    expect(pair.left.leg.position).toBe(960_000);
    expect(pair.left.events).toEqual([{ type: "source_locked", source: pair.right.address }]);
  });

  it.each([
    ["PCMU", 0],
    ["PCMA", 8],
    ["G722", 9],
  ] as const)("carries %s both ways, each to the other", (codec, payloadType) => {
    const pair = connectedPair({ seed: 32 }, { codec, payloadType });
    pair.left.say(speech);
    pair.right.say(otherSpeech);
    pair.run(6_000);
    const heardRight = pair.right.takeHeard();
    expect(likeness(speech, heardRight)).toBeGreaterThan(0.99);
    expect(likeness(otherSpeech, pair.left.takeHeard())).toBeGreaterThan(0.99);
    expect(likeness(otherSpeech, heardRight)).toBeLessThan(0.5);
  });

  it("carries G.722 through loss, reordering, duplicates and keys as well as G.711", () => {
    const network = { seed: 35, jitterMs: 5, lossShare: 0.02, reorderShare: 0.05, duplicateShare: 0.02 };
    const carry = (codec: "PCMU" | "G722", payloadType: number) => {
      const pair = connectedPair(network, { codec, payloadType });
      pair.left.leg.sendDtmf("1");
      pair.left.say(speech);
      pair.run(6_000);
      expect(pair.right.events).toContainEqual(expect.objectContaining({ type: "dtmf", key: "1" }));
      expect(pair.right.leg.statistics()).toMatchObject({ packetsInvalid: 0 });
      // Of parts that are short enough for the jitter buffer to have left them alone.
      const heard = pair.right.takeHeard();
      const parts = Array.from({ length: 16 }, (_, index) => 8_000 + index * 1_600);
      const found = parts.map((start) =>
        bestCorrelation(speech, heard, { start, count: 1_600, lagMin: 0, lagMax: 6_000 }),
      );
      return found.reduce((sum, { correlation }) => sum + correlation, 0) / found.length;
    };
    const [g711, g722] = [carry("PCMU", 0), carry("G722", 9)];
    console.log(`likeness through a bad network: G.711 ${g711.toFixed(3)}, G.722 ${g722.toFixed(3)}`);
    expect(g722).toBeGreaterThan(g711 - 0.03);
  });

  it("changes from G.722 to G.711 and back during the call", () => {
    const pair = connectedPair({ seed: 36 }, { codec: "G722", payloadType: 9 });
    pair.left.say(speech);
    pair.run(2_000);
    for (const [codec, payloadType] of [
      ["PCMA", 8],
      ["G722", 9],
    ] as const) {
      pair.left.leg.configure(setupTowards(pair.right.address, { codec, payloadType }), pair.nowMs);
      pair.right.leg.configure(setupTowards(pair.left.address, { codec, payloadType }), pair.nowMs);
      pair.run(2_000);
    }
    expect(likeness(speech, pair.right.takeHeard())).toBeGreaterThan(0.95);
  });

  it("carries Opus with its own clock, through loss and a change to G.711 and back, and keys at either rate", async () => {
    const opus = { codec: "OPUS", payloadType: 96, dtmfPayloadType: 97, dtmfRateHz: 48_000 } as const;
    const pair = connectedPair({ seed: 37, lossShare: 0.05 }, opus);
    await opusIsReady();
    pair.left.say(speech);
    pair.run(3_000);
    pair.left.leg.sendDtmf("5");
    pair.run(500);
    const parts = (heard: Int16Array, from: number) =>
      [0, 1, 2, 3].map((index) => {
        const start = from + index * 3_200;
        return bestCorrelation(speech, heard, { start, count: 3_200, lagMin: 0, lagMax: 4_000 }).correlation;
      });
    expect(Math.min(...parts(pair.right.takeHeard(), 4_000))).toBeGreaterThan(0.8);
    for (const changes of [{ codec: "PCMU", payloadType: 0, dtmfPayloadType: 101 }, opus] as const) {
      pair.left.leg.configure(setupTowards(pair.right.address, changes), pair.nowMs);
      pair.right.leg.configure(setupTowards(pair.left.address, changes), pair.nowMs);
      await opusIsReady();
      pair.right.takeHeard();
      pair.run(2_000);
      const heard = pair.right.takeHeard();
      const found = bestCorrelation(heard, speech, { start: 8_000, count: 3_200, lagMin: 0, lagMax: 60_000 });
      expect(found.correlation).toBeGreaterThan(0.8);
    }
    const keys = pair.right.events.flatMap((event) => (event.type === "dtmf" ? [event] : []));
    expect(keys).toEqual([{ type: "dtmf", key: "5", durationMs: 120 }]);
    // What is on its way when the codec changes is lost.
    expect(pair.right.leg.statistics().packetsInvalid).toBeLessThan(6);
    expect(pair.left.leg.statistics().jitterMs).toBeLessThan(10);
    for (const { leg } of [pair.left, pair.right]) leg.close(pair.nowMs);
  });

  it("writes heard and played audio at the same positions", () => {
    const pair = connectedPair({ seed: 33 });
    pair.left.say(speech);
    pair.run(1_000);
    expect(pair.left.takeHeard().length).toBe(8_000);
    const played = pair.left.takePlayed();
    expect(played.length).toBe(8_000);
    expect(played).toEqual(speech.subarray(0, 8_000));
    expect(pair.left.leg.position).toBe(8_000);
  });

  it("hears what is due at a tick in that tick, so that the lag of an echo is that of the network and of the buffer", () => {
    const pair = connectedPair({ seed: 33, delayMs: 0, jitterMs: 0 });
    pair.left.say(speech);
    pair.run(4_000);
    const { lagSamples, correlation } = bestCorrelation(speech, pair.right.takeHeard(), {
      start: 8_000,
      count: 8_000,
      lagMin: 0,
      lagMax: 1_600,
    });
    expect(correlation).toBeGreaterThan(0.99);
    // The buffer holds audio for 40 ms; the other end's first tick, where its positions begin, is 7 ms after ours.
    expect(lagSamples).toBe(samplesIn(40 - 7));
  });

  it("sends silence as soon as an address is known, and keeps what is queued until then", () => {
    const pair = createLegPair({ seed: 34 });
    pair.left.say(speech);
    pair.run(500);
    expect(pair.left.leg.statistics().packetsSent).toBe(0);
    pair.left.leg.configure(setupTowards(pair.right.address, { isFinal: false }), pair.nowMs);
    pair.run(500);
    expect(pair.left.leg.statistics().packetsSent).toBe(25);
    const played = pair.left.takePlayed();
    expect(peakOf(played.subarray(0, 4_000))).toBe(0);
    expect(played.subarray(4_000)).toEqual(speech.subarray(0, 4_000));
  });

  it("presses keys that the far end counts once each, with the voice waiting meanwhile", () => {
    const pair = connectedPair({ seed: 35, jitterMs: 10, lossShare: 0.05, duplicateShare: 0.05 });
    pair.left.say(speech);
    pair.run(1_000);
    pair.left.leg.sendDtmf("123#", 100);
    pair.run(4_000);
    const keys = pair.right.events.flatMap((event) => (event.type === "dtmf" ? [event.key] : []));
    expect(keys.join("")).toBe("123#");
    const played = pair.left.takePlayed().filter((_, index) => index < 8_000);
    expect(played).toEqual(speech.subarray(0, 8_000));
    expect(pair.right.events.some(({ type }) => type === "audio_missing")).toBe(false);
  });

  it("plays keys as tones where telephone events were not negotiated", () => {
    const pair = connectedPair({ seed: 36 }, { dtmfPayloadType: null });
    pair.left.leg.sendDtmf("5");
    pair.run(500);
    expect(rmsOf(pair.right.takeHeard())).toBeGreaterThan(500);
  });

  it("detects tones in the audio where telephone events were not negotiated, despite jitter and loss", () => {
    const pair = connectedPair({ seed: 45, jitterMs: 8, lossShare: 0.005 }, { dtmfPayloadType: null });
    pair.left.say(speech);
    pair.run(4_000);
    pair.left.leg.sendDtmf("0123456789*#ABCD");
    pair.run(8_000);
    const keys = pair.right.events.flatMap((event) => (event.type === "dtmf" ? [event] : []));
    expect(keys.map(({ key }) => key).join("")).toBe("0123456789*#ABCD");
    for (const { durationMs } of keys) expect(Math.abs(durationMs - 100)).toBeLessThanOrEqual(30);
  });

  it("does not detect tones in the audio once telephone events are negotiated", () => {
    const pair = connectedPair({ seed: 46 }, { dtmfPayloadType: null });
    pair.run(500);
    pair.right.leg.configure(setupTowards(pair.left.address), pair.nowMs);
    pair.left.leg.sendDtmf("5");
    pair.run(1_000);
    expect(rmsOf(pair.right.takeHeard())).toBeGreaterThan(500);
    expect(pair.right.events.some(({ type }) => type === "dtmf")).toBe(false);
  });

  it("survives hold and a change of codec, with the same source throughout", () => {
    const pair = connectedPair({ seed: 37 });
    pair.left.say(speech);
    pair.run(2_000);
    pair.left.leg.configure(setupTowards(pair.right.address, { direction: "inactive" }), pair.nowMs);
    pair.right.leg.configure(setupTowards(pair.left.address, { direction: "inactive" }), pair.nowMs);
    const sentBefore = pair.left.leg.statistics().packetsSent;
    pair.run(60_000);
    expect(pair.left.leg.statistics().packetsSent).toBe(sentBefore);
    pair.left.leg.configure(setupTowards(pair.right.address, { codec: "PCMA", payloadType: 8 }), pair.nowMs);
    pair.right.leg.configure(setupTowards(pair.left.address, { codec: "PCMA", payloadType: 8 }), pair.nowMs);
    pair.right.takeHeard();
    pair.run(6_000);
    expect(likeness(speech.subarray(16_000), pair.right.takeHeard(), 8_000)).toBeGreaterThan(0.99);
    expect(pair.right.events.map(({ type }) => type)).toEqual(["source_locked"]);
    const { packetsLost, mos } = pair.right.leg.statistics();
    expect(packetsLost).toBe(0);
    expect(mos).toBeGreaterThan(4);
  });

  it("carries SRTP, counts forgeries, and continues with a new key after a re-INVITE", () => {
    const [a, b, c] = [keying(), keying(), keying()];
    const pair = createLegPair({ seed: 38, jitterMs: 5 });
    pair.left.leg.configure(setupTowards(pair.right.address, { srtp: { send: a, receive: b } }), 0);
    pair.right.leg.configure(setupTowards(pair.left.address, { srtp: { send: b, receive: a } }), 0);
    pair.left.say(speech);
    pair.run(3_000);
    const forged = Buffer.alloc(182);
    writeRtpHeader(forged, 0, false, 400, 0, 0x22222222);
    pair.injectLeft(forged, pair.right.address);
    pair.left.leg.configure(setupTowards(pair.right.address, { srtp: { send: c, receive: b } }), pair.nowMs);
    pair.right.leg.configure(setupTowards(pair.left.address, { srtp: { send: b, receive: c } }), pair.nowMs);
    pair.run(5_000);
    const left = pair.left.leg.statistics();
    expect(left.packetsUnauthentic).toBe(1);
    expect(left.roundTripMs).toBeGreaterThan(50);
    // What was on its way under the old key when the new one came is lost.
    expect(pair.right.leg.statistics().packetsUnauthentic).toBeLessThan(5);
    expect(likeness(speech, pair.right.takeHeard(), 32_000)).toBeGreaterThan(0.99);
  });

  it("exchanges reports on the RTP port where that was agreed on", () => {
    const pair = connectedPair({ seed: 43, delayMs: 50 }, { remoteControl: null });
    pair.run(20_000);
    expect(pair.left.leg.statistics().roundTripMs).toBeCloseTo(100, -1);
    expect(pair.left.leg.statistics().packetsInvalid).toBe(0);
  });

  it("tolerates any bytes from its source", () => {
    const random = createRandom(44);
    for (const srtp of [null, { send: keying(), receive: keying() }]) {
      const pair = createLegPair({ seed: 44 });
      pair.left.leg.configure(setupTowards(pair.right.address, { srtp }), 0);
      for (let round = 0; round < 3_000; round++) {
        const bytes = Buffer.alloc(random.wholeBetween(0, random.next() < 0.02 ? 9_000 : 200));
        for (let index = 0; index < Math.min(40, bytes.length); index++) bytes[index] = random.wholeBetween(0, 255);
        if (bytes.length > 1) bytes.set([0x80 | random.wholeBetween(0, 63), random.pick([0, 8, 13, 101, 200, 201])]);
        pair.injectLeft(bytes, pair.right.address);
        pair.left.leg.receiveControl(bytes, bytes.length, pair.right.address.host, pair.nowMs);
        if (round % 10 === 0) pair.run(20);
      }
      expect(pair.left.leg.position).toBe(300 * 160);
    }
  });

  it("does not count a source as a stranger that sent before the answer", () => {
    const pair = createLegPair({ seed: 40 });
    const bytes = Buffer.alloc(172, 0x80);
    writeRtpHeader(bytes, 0, false, 9, 9, 9);
    const announcer = { host: "203.0.113.7", port: 4444 };
    // RFC 3264 section 5.1: before any description, also reports.
    for (let count = 0; count < 5; count++) pair.injectLeft(bytes, pair.right.address);
    pair.left.leg.receiveControl(bytes, bytes.length, pair.right.address.host, pair.nowMs);
    // A ringing announcement that continues for some time after the answer came from elsewhere.
    pair.left.leg.configure({ ...setupTowards(announcer), isFinal: false }, pair.nowMs);
    pair.injectLeft(bytes, announcer);
    pair.left.leg.configure(setupTowards(pair.right.address), pair.nowMs);
    pair.right.leg.configure(setupTowards(pair.left.address), pair.nowMs);
    pair.run(500);
    for (let count = 0; count < 5; count++) pair.injectLeft(bytes, announcer);
    pair.left.leg.receiveControl(bytes, bytes.length, announcer.host, pair.nowMs);
    pair.run(100);
    expect(pair.left.leg.statistics().packetsForeign).toBe(0);
  });

  it("drops and counts what a stranger sends, once the source is locked", () => {
    const pair = connectedPair({ seed: 39 });
    pair.run(1_000);
    const bytes = Buffer.alloc(172, 0x80);
    writeRtpHeader(bytes, 0, false, 9, 9, 9);
    for (let count = 0; count < 10; count++) pair.injectLeft(bytes, { host: "203.0.113.1", port: 4444 });
    pair.left.takeHeard();
    pair.run(500);
    expect(pair.left.leg.statistics().packetsForeign).toBe(10);
    expect(peakOf(pair.left.takeHeard())).toBeLessThan(10);
  });

  it("is not disturbed by single packets of another stream from its source, but follows one that continues", () => {
    const pair = connectedPair({ seed: 39 });
    const bytes = Buffer.alloc(172, 0x80);
    pair.right.say(otherSpeech);
    for (let count = 0; count < 40; count++) {
      pair.run(100);
      writeRtpHeader(bytes, 0, false, count, count * 160, 9 + count);
      pair.injectLeft(bytes, pair.right.address);
    }
    expect(likeness(otherSpeech, pair.left.takeHeard(), 8_000)).toBeGreaterThan(0.99);
    const goesOn = createLegPair({ seed: 39 });
    goesOn.left.leg.configure(setupTowards(goesOn.right.address), 0);
    for (let count = 0; count < 100; count++) {
      writeRtpHeader(bytes, 0, false, count, count * 160, count < 50 ? 1 : 2);
      goesOn.injectLeft(bytes, goesOn.right.address);
      goesOn.run(20);
    }
    expect(peakOf(goesOn.left.takeHeard().subarray(-8_000))).toBeGreaterThan(10_000);
  });

  it("says that nothing is heard when the answer names no address, and sends nothing anywhere until one does", () => {
    const pair = createLegPair({ seed: 41 });
    const nowhere = { remote: null, remoteControl: null, direction: "recvonly" } as const;
    pair.left.leg.configure(setupTowards(pair.right.address, nowhere), 0);
    pair.right.leg.configure(setupTowards(pair.left.address, { direction: "inactive" }), 0);
    pair.left.say(speech);
    pair.run(3_100);
    expect(pair.left.events).toEqual([{ type: "audio_missing" }]);
    expect(pair.left.leg.statistics().packetsSent).toBe(0);
    pair.left.leg.configure(setupTowards(pair.right.address), pair.nowMs);
    pair.right.leg.configure(setupTowards(pair.left.address), pair.nowMs);
    pair.run(3_000);
    expect(pair.left.events.map(({ type }) => type)).toEqual(["audio_missing", "source_locked", "audio_returned"]);
    expect(pair.left.leg.statistics().packetsSent).toBeGreaterThan(100);
  });

  it("says when nothing is heard after the answer, when it returns, and when it is hopeless", () => {
    const pair = createLegPair({ seed: 40 });
    pair.left.leg.configure(setupTowards(pair.right.address, { isFinal: false }), 0);
    pair.run(10_000);
    expect(pair.left.events).toEqual([]);
    pair.left.leg.configure(setupTowards(pair.right.address), pair.nowMs);
    pair.run(3_100);
    expect(pair.left.events.map(({ type }) => type)).toEqual(["audio_missing"]);
    pair.right.leg.configure(setupTowards(pair.left.address), pair.nowMs);
    pair.run(1_000);
    expect(pair.left.events.map(({ type }) => type)).toEqual(["audio_missing", "source_locked", "audio_returned"]);
    pair.right.leg.configure(setupTowards(pair.left.address, { direction: "inactive" }), pair.nowMs);
    pair.run(40_000);
    expect(pair.left.events.slice(3).map(({ type }) => type)).toEqual(["audio_missing", "media_timed_out"]);
  });

  it("recognizes an announced silence", () => {
    const pair = connectedPair({ seed: 41 });
    pair.run(1_000);
    pair.right.leg.configure(setupTowards(pair.left.address, { direction: "inactive" }), pair.nowMs);
    pair.run(100);
    const noise = Buffer.alloc(13, 60);
    writeRtpHeader(noise, 13, false, 57, (0xffff_0000 + 8_000) >>> 0, 0x22222222);
    pair.injectLeft(noise, pair.right.address);
    pair.run(60_000);
    expect(pair.left.events.map(({ type }) => type)).toEqual(["source_locked"]);
    expect(pair.left.leg.position).toBe(Math.ceil(pair.nowMs / 20) * 160);
  });

  it("ends the rings when it closes, and sends nothing afterwards", () => {
    const pair = connectedPair({ seed: 42 });
    pair.run(500);
    pair.left.leg.close(pair.nowMs);
    const { packetsSent } = pair.left.leg.statistics();
    pair.run(500);
    expect(pair.left.leg.statistics().packetsSent).toBe(packetsSent);
    pair.left.takeHeard();
    expect(pair.left.heardHasEnded()).toBe(true);
  });
});
