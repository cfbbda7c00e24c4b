import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { estimateMos, ReceptionStatistics, roundTripMsOf, SequenceTracker } from "./statistics.ts";

describe("sequence numbers", () => {
  it("continue counting when their 16 bits wrap around, even for a late packet across the wrap", () => {
    const tracker = new SequenceTracker();
    const seen = [0xfffe, 0xffff, 1, 0, 2].map((sequence) => [tracker.observe(sequence), tracker.extended]);
    expect(seen).toEqual([
      ["first", 0xfffe],
      ["ahead", 0xffff],
      ["ahead", 0x1_0001],
      ["behind", 0x1_0000],
      ["ahead", 0x1_0002],
    ]);
    expect(tracker.observe(0xffff)).toBe("behind");
    expect(tracker.extended).toBe(0xffff);
    expect(tracker.highest).toBe(0x1_0002);
  });

  it("begin again only when two packets in a row say so", () => {
    const tracker = new SequenceTracker();
    expect([100, 20_000, 101, 40_000, 40_001].map((sequence) => tracker.observe(sequence))).toEqual([
      "first",
      "suspect",
      "ahead",
      "suspect",
      "restarted",
    ]);
    expect(tracker.highest).toBe(40_001);
  });

  it("extend any order of arrival to the numbers that were sent", () => {
    const random = createRandom(16);
    const tracker = new SequenceTracker();
    const sent = Array.from({ length: 300_000 }, (_, index) => index + 60_000);
    for (let index = 20; index < sent.length; index += 20) {
      const other = index - random.wholeBetween(1, 15);
      const kept = sent[index] as number;
      sent[index] = sent[other] as number;
      sent[other] = kept;
    }
    for (const number of sent) {
      tracker.observe(number & 0xffff);
      if (tracker.extended !== number) expect.unreachable(`${number} became ${tracker.extended}`);
    }
  });
});

describe("reception statistics", () => {
  it("count loss per report and altogether", () => {
    const statistics = new ReceptionStatistics(8000);
    for (let index = 0; index < 100; index++) {
      if (index % 4 !== 1) statistics.observe(index, index * 160, index * 20, true);
    }
    expect(statistics.lost).toBe(25);
    expect(statistics.takeReport(1)).toMatchObject({ fractionLost: 64, cumulativeLost: 25, highestSequence: 99 });
    statistics.observe(100, 16_000, 2_000, true);
    expect(statistics.takeReport(1)).toMatchObject({ fractionLost: 0, cumulativeLost: 25 });
  });

  it("keep the loss from before the sender restarted", () => {
    const statistics = new ReceptionStatistics(8000);
    for (const sequence of [1, 3, 30_000, 30_001, 30_003]) statistics.observe(sequence, 0, 0, false);
    expect([statistics.received, statistics.lost]).toEqual([4, 2]);
    statistics.restart(9);
    statistics.observe(9, 0, 0, false);
    statistics.observe(11, 0, 0, false);
    expect([statistics.received, statistics.lost]).toEqual([6, 3]);
  });

  it("measure jitter as the mean deviation of the spacing", () => {
    const statistics = new ReceptionStatistics(8000);
    for (let index = 0; index < 1000; index++) {
      statistics.observe(index, (2 ** 32 - 800 + index * 160) >>> 0, index * 20 + (index % 2) * 5, true);
    }
    expect(statistics.jitterMs).toBeCloseTo(5, 1);
  });

  it("take the round trip from the far end's answer to our report", () => {
    const block = {
      ssrc: 1,
      fractionLost: 0,
      cumulativeLost: 0,
      highestSequence: 0,
      jitter: 0,
      lastSenderReport: 0xffff_ff00,
      delaySinceLast: 65_536,
    };
    expect(roundTripMsOf((0xffff_ff00 + 65_536 + 6_554) >>> 0, block)).toBeCloseTo(100, 1);
    expect(roundTripMsOf(5, { ...block, lastSenderReport: 0 })).toBeNull();
    expect(roundTripMsOf(0xffff_ff00, { ...block, delaySinceLast: 0 })).toBe(0);
  });
});

describe("the opinion score", () => {
  it("is best on a clean short line and falls with loss and with delay", () => {
    const clean = estimateMos({ lossShare: 0, delayMs: 60 });
    const lossy = estimateMos({ lossShare: 0.05, delayMs: 60 });
    const slow = estimateMos({ lossShare: 0, delayMs: 500 });
    console.log(`mos: clean ${clean.toFixed(2)}, 5 % loss ${lossy.toFixed(2)}, 500 ms ${slow.toFixed(2)}`);
    expect(clean).toBeGreaterThan(4.3);
    expect(lossy).toBeGreaterThan(3.5);
    expect(lossy).toBeLessThan(4.1);
    expect(slow).toBeLessThan(3.2);
    expect(estimateMos({ lossShare: 1, delayMs: 5_000 })).toBe(1);
  });
});
