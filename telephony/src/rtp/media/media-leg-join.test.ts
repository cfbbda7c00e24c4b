import { peakOf } from "@parley/audio/level";
import { describe, expect, it } from "vitest";
import { bestCorrelation } from "../testing/best-correlation.ts";
import { createLegPair, type LegPair, type PairedLeg, setupTowards } from "../testing/leg-pair.ts";
import { speechLike } from "../testing/speech-like.ts";
import type { MediaSetup } from "./media-setup.ts";

const callee = speechLike(8_000, 51);
const colleague = speechLike(8_000, 52);
const notice = speechLike(8_000, 53);

/** Our leg is the left one of each pair; the callee and the colleague are on the right. */
interface Bridge {
  toCallee: LegPair;
  toColleague: LegPair;
  run(durationMs: number): void;
}

function bridge(apartMs: number, forColleague: Partial<MediaSetup> = {}): Bridge {
  const toCallee = createLegPair({ seed: 61 });
  const toColleague = createLegPair({ seed: 71 });
  for (const { left, right } of [toCallee, toColleague]) {
    const changes = left === toColleague.left ? forColleague : {};
    left.leg.configure(setupTowards(right.address, changes), 0);
    right.leg.configure(setupTowards(left.address, changes), 0);
  }
  toColleague.run(apartMs);
  return {
    toCallee,
    toColleague,
    run(durationMs) {
      for (let ms = 0; ms < durationMs; ms++) {
        toCallee.run(1);
        toColleague.run(1);
      }
    },
  };
}

function likeness(sent: Int16Array, heard: Int16Array): number {
  return bestCorrelation(sent, heard, { start: 8_000, count: 4_000, lagMin: 200, lagMax: 2_400 }).correlation;
}

function keysOf({ events }: PairedLeg): string {
  return events.flatMap((event) => (event.type === "dtmf" ? [event.key] : [])).join("");
}

describe("two joined legs", () => {
  it.each([0, 5, 15])("let both parties hear each other, and not themselves, ticking %i ms apart", (apartMs) => {
    const { toCallee, toColleague, run } = bridge(apartMs);
    toCallee.left.leg.join(toColleague.left.leg);
    toCallee.right.say(callee);
    toColleague.right.say(colleague);
    run(2_500);
    const heardByColleague = toColleague.right.takeHeard();
    const heardByCallee = toCallee.right.takeHeard();
    expect(likeness(callee, heardByColleague)).toBeGreaterThan(0.99);
    expect(likeness(colleague, heardByCallee)).toBeGreaterThan(0.99);
    expect(likeness(callee, heardByCallee)).toBeLessThan(0.5);
  });

  it("continue writing both rings, with all sent audio in the played one", () => {
    const { toCallee, toColleague, run } = bridge(0);
    toColleague.left.leg.join(toCallee.left.leg);
    toCallee.right.say(callee);
    toColleague.right.say(colleague);
    run(2_500);
    expect(likeness(callee, toCallee.left.takeHeard())).toBeGreaterThan(0.99);
    const played = toCallee.left.takePlayed();
    expect(played.length).toBe(20_000);
    expect(likeness(colleague, played)).toBeGreaterThan(0.99);
  });

  it("play a notice and the other party to the callee simultaneously", () => {
    const { toCallee, toColleague, run } = bridge(0);
    toCallee.left.leg.join(toColleague.left.leg);
    toColleague.right.say(colleague);
    toCallee.left.say(notice);
    run(2_500);
    const heard = toCallee.right.takeHeard();
    expect(likeness(notice, heard)).toBeGreaterThan(0.6);
    expect(likeness(colleague, heard)).toBeGreaterThan(0.6);
  });

  it("pass keys on once each, as events", () => {
    const { toCallee, toColleague, run } = bridge(5);
    toCallee.left.leg.join(toColleague.left.leg);
    toCallee.right.leg.sendDtmf("12#", 100);
    run(3_000);
    expect(keysOf(toCallee.left)).toBe("12#");
    expect(keysOf(toColleague.right)).toBe("12#");
  });

  it("forward keys as tones, one after the other, where the other end has no events", () => {
    const { toCallee, toColleague, run } = bridge(0, { dtmfPayloadType: null });
    toCallee.left.leg.join(toColleague.left.leg);
    toCallee.right.leg.sendDtmf("12", 60);
    run(3_000);
    const heard = toColleague.right.takeHeard();
    const loudFrames = Array.from({ length: 150 }, (_, frame) =>
      peakOf(heard.subarray(frame * 160, frame * 160 + 160)),
    );
    const loudMs = loudFrames.filter((peak) => peak > 1_000).length * 20;
    expect(loudMs).toBeGreaterThanOrEqual(120);
    expect(loudMs).toBeLessThanOrEqual(200);
    expect(keysOf(toColleague.right)).toBe("12");
  });

  it("forward keys received as tones as those tones, and not as events too", () => {
    const { toCallee, toColleague, run } = bridge(0, { dtmfPayloadType: null });
    toCallee.left.leg.join(toColleague.left.leg);
    toColleague.right.leg.sendDtmf("7");
    run(2_000);
    expect(keysOf(toColleague.left)).toBe("7");
    expect(keysOf(toCallee.right)).toBe("");
    expect(peakOf(toCallee.right.takeHeard())).toBeGreaterThan(1_000);
  });

  it("hear nothing of each other once they are separated, by either of the two", () => {
    const { toCallee, toColleague, run } = bridge(0);
    toCallee.left.leg.join(toColleague.left.leg);
    toCallee.right.say(callee);
    run(1_000);
    toColleague.left.leg.join(null);
    run(500);
    toColleague.right.takeHeard();
    run(2_000);
    expect(peakOf(toColleague.right.takeHeard())).toBeLessThan(10);
    expect(peakOf(toCallee.left.takeHeard())).toBeGreaterThan(1_000);
  });

  it("are separated when one closes, and the other continues, even when joined with the dead one again", () => {
    const { toCallee, toColleague, run } = bridge(0);
    toCallee.left.leg.join(toColleague.left.leg);
    run(500);
    toColleague.left.leg.close(toColleague.nowMs);
    toCallee.left.leg.join(toColleague.left.leg);
    toCallee.right.takeHeard();
    toCallee.left.say(notice);
    run(4_000);
    expect(likeness(notice, toCallee.right.takeHeard())).toBeGreaterThan(0.99);
    expect(() => toCallee.left.leg.join(toCallee.left.leg)).toThrow(RangeError);
  });

  it("are separated from a third when they are joined again", () => {
    const first = bridge(0);
    const second = bridge(0);
    first.toCallee.left.leg.join(first.toColleague.left.leg);
    second.toCallee.left.leg.join(first.toCallee.left.leg);
    first.toCallee.right.say(callee);
    for (let ms = 0; ms < 2_500; ms++) {
      first.run(1);
      second.run(1);
    }
    expect(likeness(callee, second.toCallee.right.takeHeard())).toBeGreaterThan(0.99);
    expect(peakOf(first.toColleague.right.takeHeard())).toBeLessThan(10);
  });
});
