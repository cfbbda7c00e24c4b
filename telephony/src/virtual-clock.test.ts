import { describe, expect, it } from "vitest";
import { createVirtualClock } from "./virtual-clock.ts";

describe("the virtual clock", () => {
  it("fires timers in the order of their due times, each at its own instant", async () => {
    const clock = createVirtualClock(1_000);
    const fired: [string, number][] = [];
    clock.setTimer(20, () => fired.push(["late", clock.now()]));
    clock.setTimer(10, () => fired.push(["early", clock.now()]));
    clock.setTimer(20, () => fired.push(["later", clock.now()]));
    await clock.advance(20);
    expect(fired).toEqual([
      ["early", 1_010],
      ["late", 1_020],
      ["later", 1_020],
    ]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("fires timers that were set by timers and by promises on the way", async () => {
    const clock = createVirtualClock();
    const firedAtMs: number[] = [];
    const repeat = async () => {
      firedAtMs.push(clock.now());
      await Promise.resolve();
      clock.setTimer(10, repeat);
    };
    clock.setTimer(10, repeat);
    await clock.advance(35);
    expect(firedAtMs).toEqual([10, 20, 30]);
    expect(clock.now()).toBe(35);
    expect(clock.nextTimerInMs()).toBe(5);
  });

  it("does not fire what was canceled", async () => {
    const clock = createVirtualClock();
    const cancel = clock.setTimer(10, () => expect.unreachable());
    cancel();
    cancel();
    await clock.advance(100);
  });
});
