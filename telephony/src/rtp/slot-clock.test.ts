import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { SlotClock } from "./slot-clock.ts";

describe("the clock of a media thread", () => {
  it("ticks every group every 20 ms, however late the timers fire", () => {
    const random = createRandom(5);
    const clock = new SlotClock(1_000);
    const dueTimes: number[][] = [[], [], [], []];
    let nowMs = 1_000;
    while (nowMs < 61_000) {
      nowMs += clock.run(nowMs, (group, dueMs) => dueTimes[group]?.push(dueMs)) + random.between(0, 200);
    }
    for (const [group, times] of dueTimes.entries()) {
      expect(times.length).toBeGreaterThanOrEqual(2_990);
      for (const [index, dueMs] of times.entries()) expect(dueMs).toBe(1_000 + group * 5 + index * 20);
    }
    expect(clock.missedTicks).toBe(0);
  });

  it("does not catch up on more than a second after a stall", () => {
    const clock = new SlotClock(0);
    let ticks = 0;
    clock.run(10_000, () => {
      ticks += 1;
    });
    expect(ticks).toBeLessThanOrEqual(205);
    expect(clock.missedTicks).toBe(450);
  });
});
