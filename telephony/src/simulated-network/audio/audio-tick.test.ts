import type { Clock } from "@parley/time/clock";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { AudioTick } from "./audio-tick.ts";

/** A clock whose timers and time the test controls. */
function createManualClock() {
  let nowMs = 1_000;
  let pending: (() => void) | null = null;
  const clock: Clock = {
    now: () => nowMs,
    setTimer(_, fire) {
      pending = fire;
      return () => {
        pending = null;
      };
    },
  };
  return {
    clock,
    isWaiting: () => pending !== null,
    fireAt(atMs: number) {
      nowMs = atMs;
      const fire = pending;
      pending = null;
      fire?.();
    },
  };
}

describe("the audio tick", () => {
  it("ticks every leg every 20 ms, and holds no timer when none has audio", async () => {
    const clock = createVirtualClock();
    const tick = new AudioTick(clock);
    const ticks: string[] = [];
    const leaveA = tick.join({ tick: (dueMs) => ticks.push(`a${dueMs}`) });
    const leaveB = tick.join({ tick: (dueMs) => ticks.push(`b${dueMs}`) });
    await clock.advance(40);
    expect(ticks).toEqual(["a0", "b0", "a20", "b20", "a40", "b40"]);
    expect(clock.pendingTimers()).toBe(1);
    leaveA();
    leaveB();
    expect(clock.pendingTimers()).toBe(0);
  });

  it("catches up on late ticks, each with the time it was due at", () => {
    const { clock, fireAt } = createManualClock();
    const dues: number[] = [];
    new AudioTick(clock).join({ tick: (dueMs) => dues.push(dueMs) });
    fireAt(1_000);
    fireAt(1_075);
    expect(dues).toEqual([1_000, 1_020, 1_040, 1_060]);
  });

  it("continues immediately when the clock was set back", () => {
    const { clock, fireAt, isWaiting } = createManualClock();
    const dues: number[] = [];
    new AudioTick(clock).join({ tick: (dueMs) => dues.push(dueMs) });
    fireAt(5_000_000);
    dues.length = 0;
    fireAt(1_000_000);
    expect(isWaiting()).toBe(true);
    fireAt(1_000_020);
    expect(dues).toEqual([1_000_000, 1_000_020]);
  });

  it("stops in the middle of a tick when the last one leaves", async () => {
    const clock = createVirtualClock();
    const tick = new AudioTick(clock);
    let ticks = 0;
    const leave = tick.join({
      tick() {
        ticks += 1;
        leave();
      },
    });
    await clock.advance(1_000);
    expect([ticks, clock.pendingTimers()]).toEqual([1, 0]);
  });
});
