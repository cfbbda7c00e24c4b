import { randomUUID } from "node:crypto";
import { ClipStore } from "@parley/audio/clip-store";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallLeg, LegStatistics } from "../carrier.ts";
import type { SoundRig } from "./carrier-rig.ts";
import { followLeg } from "./follow-leg.ts";
import { shareHeard } from "./share-heard.ts";
import { sweep } from "./sweep.ts";

/** A busy machine may spoil some audio on real sockets; silence, noise or another voice contain none of it. */
const SHARE_HEARD_MIN = 0.5;

/** The maximum delay at which audio is searched for: that of the line plus that of a busy machine. */
const DELAY_MAX_SAMPLES = 8_000;

/** The guarantees that a conversation relies on with any carrier. Carriers with audio register this suite too. */
export function describeSoundConformance(name: string, openRig: () => Promise<SoundRig>): void {
  describe(`${name} carries audio`, { timeout: 60_000 }, () => {
    let rig: SoundRig;

    beforeEach(async () => {
      rig = await openRig();
    });

    afterEach(async () => {
      await rig.close();
      expect(rig.resourcesHeld(), "timers and sockets left behind").toBe(0);
    });

    async function placeAndAnswer() {
      const { number: to, simulation } = rig.sound;
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
      const { says } = rig.sound;
      await rig.sound.until(async () => heard().length >= says.length + DELAY_MAX_SAMPLES, "what the callee says");
      expect(shareHeard(says, heard())).toBeGreaterThan(SHARE_HEARD_MIN);
      expect(shareHeard(sweep(says.length), heard())).toBe(0);
    });

    it("delivers our audio to the callee and exposes what was played", async () => {
      const { leg, dialId } = await placeAndAnswer();
      const played = gather(leg.media.played);
      const ours = sweep(16_000);
      say(leg, ours);
      const isPlayed = async () => played().length >= ours.length + DELAY_MAX_SAMPLES;
      await rig.sound.until(isPlayed, "what we play");
      expect(shareHeard(ours, played())).toBe(1);
      const heard = await rig.sound.heard(dialId);
      expect(shareHeard(ours, heard)).toBeGreaterThan(SHARE_HEARD_MIN);
      expect(shareHeard(rig.sound.says, heard)).toBe(0);
    });

    it("writes what is heard and what is played at equal positions", async () => {
      const { leg, followed } = await placeAndAnswer();
      const [heard, played] = [new RingReader(leg.media.heard, 0), new RingReader(leg.media.played, 0)];
      await rig.sound.until(async () => played.writtenPosition >= 8_000, "a second of sound");
      await rig.waitFor(leg.hangup(), "the hangup");
      await rig.waitFor(followed.until("ended"), "the end");
      expect(heard.writtenPosition).toBe(played.writtenPosition);
      for (const reader of [heard, played]) reader.seek(reader.writtenPosition);
      expect([heard.isEnded, played.isEnded]).toEqual([true, true]);
    });

    it("reports the keys of the callee, and presses ours there", async () => {
      const { leg, dialId, followed } = await placeAndAnswer();
      const keys = () => followed.events.flatMap((event) => (event.type === "dtmf" ? [event.key] : [])).join("");
      await rig.sound.until(async () => keys() === rig.sound.presses, "the keys of the callee");
      leg.sendDtmf("90*D");
      await rig.sound.until(async () => (await rig.sound.keysHeard(dialId)) === "90*D", "our keys at the callee");
      for (const event of followed.events) if (event.type === "dtmf") expect(event.durationMs).toBeGreaterThan(0);
    });

    it("counts packets while they flow, and keeps the count after the end", async () => {
      const { leg, followed } = await placeAndAnswer();
      const counted: LegStatistics[] = [];
      await rig.sound.until(async () => {
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
