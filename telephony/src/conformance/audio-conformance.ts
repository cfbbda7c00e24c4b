import { randomUUID } from "node:crypto";
import { ClipStore } from "@parley/audio/clip-store";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallLeg, LegStatistics } from "../carrier.ts";
import { bestCorrelation } from "../rtp/testing/best-correlation.ts";
import type { AudioRig } from "./carrier-rig.ts";
import { followLeg } from "./follow-leg.ts";

/** A busy machine may spoil some audio on real sockets; silence, noise or another voice contain none of it. */
const SHARE_HEARD_MIN = 0.5;

/** The maximum delay at which audio is searched for: that of the line plus that of a busy machine. */
const DELAY_MAX_SAMPLES = 8_000;

/** The guarantees that a conversation relies on with any carrier. Carriers with audio register this suite too. */
export function describeAudioConformance(name: string, openRig: () => Promise<AudioRig>): void {
  describe(`${name} carries audio`, { timeout: 60_000 }, () => {
    let rig: AudioRig;

    beforeEach(async () => {
      rig = await openRig();
    });

    afterEach(async () => {
      await rig.close();
      expect(rig.resourcesHeld(), "timers and sockets left behind").toBe(0);
    });

    async function placeAndAnswer() {
      const { number: to, simulation } = rig.audio;
      const dialId = randomUUID();
      const plan = simulation === undefined ? {} : { simulation };
      const journal = rig.journal === undefined ? {} : { journal: rig.journal };
      const leg = await rig.carrier.place({ callId: randomUUID(), dialId, to, from: null, ...plan, ...journal });
      const followed = followLeg(leg);
      await rig.waitFor(followed.until("answered"), "the answer");
      return { dialId, leg, followed };
    }

    it("delivers the audio of the callee and nothing else", async () => {
      const { leg } = await placeAndAnswer();
      const heard = gather(leg.media.heard);
      const { says } = rig.audio;
      await rig.audio.until(async () => heard().length >= says.length + DELAY_MAX_SAMPLES, "what the callee says");
      expect(shareHeard(says, heard())).toBeGreaterThan(SHARE_HEARD_MIN);
      expect(shareHeard(sweep(says.length), heard())).toBe(0);
    });

    it("delivers our audio to the callee and exposes what was played", async () => {
      const { leg, dialId } = await placeAndAnswer();
      const played = gather(leg.media.played);
      const ours = sweep(16_000);
      say(leg, ours);
      const isPlayed = async () => played().length >= ours.length + DELAY_MAX_SAMPLES;
      await rig.audio.until(isPlayed, "what we play");
      expect(shareHeard(ours, played())).toBe(1);
      const heard = await rig.audio.heard(dialId);
      expect(shareHeard(ours, heard)).toBeGreaterThan(SHARE_HEARD_MIN);
      expect(shareHeard(rig.audio.says, heard)).toBe(0);
    });

    it("writes what is heard and what is played at equal positions", async () => {
      const { leg, followed } = await placeAndAnswer();
      const [heard, played] = [new RingReader(leg.media.heard, 0), new RingReader(leg.media.played, 0)];
      await rig.audio.until(async () => played.writtenPosition >= 8_000, "a second of audio");
      await rig.waitFor(leg.hangup(), "the hangup");
      await rig.waitFor(followed.until("ended"), "the end");
      expect(heard.writtenPosition).toBe(played.writtenPosition);
      for (const reader of [heard, played]) reader.seek(reader.writtenPosition);
      expect([heard.isEnded, played.isEnded]).toEqual([true, true]);
    });

    it("reports the keys of the callee, and presses ours there", async () => {
      const { leg, dialId, followed } = await placeAndAnswer();
      const keys = () => followed.events.flatMap((event) => (event.type === "dtmf" ? [event.key] : [])).join("");
      await rig.audio.until(async () => keys() === rig.audio.presses, "the keys of the callee");
      leg.sendDtmf("90*D");
      await rig.audio.until(async () => (await rig.audio.keysHeard(dialId)) === "90*D", "our keys at the callee");
      for (const event of followed.events) if (event.type === "dtmf") expect(event.durationMs).toBeGreaterThan(0);
    });

    it("counts packets while they flow, and keeps the count after the end", async () => {
      const { leg, followed } = await placeAndAnswer();
      const counted: LegStatistics[] = [];
      await rig.audio.until(async () => {
        const now = await leg.statistics();
        if (now !== null) counted.push(now);
        return now !== null && now.packetsReceived > 50 && now.packetsSent > 50;
      }, "packets both ways");
      const mos = counted.at(-1)?.mos ?? 0;
      expect([mos >= 1, mos <= 4.5]).toEqual([true, true]);
      await rig.waitFor(leg.hangup(), "the hangup");
      await rig.waitFor(followed.until("ended"), "the end");
      const last = await leg.statistics();
      expect(last?.packetsSent).toBeGreaterThan(50);
      expect(await leg.statistics()).toEqual(last);
    });
  });
}

/** Collects new samples of a ring each time it is called. */
function gather(ring: SharedArrayBuffer): () => Int16Array {
  const reader = new RingReader(ring);
  let all = new Int16Array(0);
  return () => {
    const fresh = new Int16Array(reader.availableSamples);
    const count = reader.read(fresh);
    const longer = new Int16Array(all.length + count);
    longer.set(all);
    longer.set(fresh.subarray(0, count), all.length);
    all = longer;
    return all;
  };
}

function say(leg: CallLeg, samples: Int16Array): void {
  const offset = new ClipStore(leg.media.playout).put(samples);
  const queue = new PlayoutQueue(leg.media.playout);
  expect(offset !== null && queue.enqueue(1, offset, samples.length)).toBe(true);
}

/** A tenth of a second: long enough to be unmistakable, short enough for a lost packet to spoil only a few of them. */
const WINDOW_SAMPLES = 800;
const ALIKE_MIN = 0.95;

/**
 * How much of a recording arrived, from 0 to 1: the share of its windows that stand in what was heard, all at nearly the
 * same lag. The lag is found by one window in the middle of the recording and then followed.
 */
export function shareHeard(said: Int16Array, heard: Int16Array): number {
  const starts = Array.from({ length: Math.floor(said.length / WINDOW_SAMPLES) }, (_, index) => index * WINDOW_SAMPLES);
  let best = 0;
  for (const anchor of [0.5, 0.25, 0.75]) {
    const at = starts[Math.floor(starts.length * anchor)] ?? 0;
    const lag = bestLag(said, heard, at);
    if (lag === null) continue;
    const alike = starts.filter((start) => isThere(said, heard, start, lag)).length;
    best = Math.max(best, alike / starts.length);
    if (best === 1) break;
  }
  return best;
}

function bestLag(said: Int16Array, heard: Int16Array, start: number): number | null {
  const lagMax = heard.length - WINDOW_SAMPLES - start;
  const found = bestCorrelation(said, heard, { start, count: WINDOW_SAMPLES, lagMin: -start, lagMax });
  return found.correlation > ALIKE_MIN ? found.lagSamples : null;
}

/** A jitter buffer may have moved by some milliseconds in between. */
function isThere(said: Int16Array, heard: Int16Array, start: number, lag: number): boolean {
  for (let shift = 0; shift <= 480; shift += 1) {
    if (
      likeness(said, heard, start, lag + shift) > ALIKE_MIN ||
      likeness(said, heard, start, lag - shift) > ALIKE_MIN
    ) {
      return true;
    }
  }
  return false;
}

function likeness(said: Int16Array, heard: Int16Array, start: number, lag: number): number {
  if (start + lag < 0 || start + lag + WINDOW_SAMPLES > heard.length) return -1;
  let product = 0;
  let saidEnergy = 1e-9;
  let heardEnergy = 1e-9;
  for (let index = start; index < start + WINDOW_SAMPLES; index += 1) {
    const a = said[index] ?? 0;
    const b = heard[index + lag] ?? 0;
    product += a * b;
    saidEnergy += a * a;
    heardEnergy += b * b;
  }
  return product / Math.sqrt(saidEnergy * heardEnergy);
}

/** A tone that rises from 300 to 2,500 Hz: like itself at one lag only, and unlike any other audio. */
function sweep(samples: number): Int16Array {
  const seconds = samples / 8_000;
  return Int16Array.from({ length: samples }, (_, index) => {
    const t = index / 8_000;
    return Math.round(12_000 * Math.sin(2 * Math.PI * (300 * t + (2_200 * t * t) / (2 * seconds))));
  });
}
