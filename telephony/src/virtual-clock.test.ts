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

  it("stands still while something that takes real time is under way, also what that leads to", async () => {
    const clock = createVirtualClock();
    const seen: [string, number][] = [];
    const work = (name: string) => clock.holdFor(new Promise<string>((resolve) => setTimeout(() => resolve(name), 5)));
    clock.setTimer(10, () => {
      void work("first")
        .then((name) => {
          seen.push([name, clock.now()]);
          return work("second");
        })
        .then((name) => seen.push([name, clock.now()]));
    });
    clock.setTimer(11, () => seen.push(["timer", clock.now()]));
    await clock.advance(100);
    expect(seen).toEqual([
      ["first", 10],
      ["second", 10],
      ["timer", 11],
    ]);
  });

  it("goes on when the work it was held for fails, and hands the failure on", async () => {
    const clock = createVirtualClock();
    const failing = clock.holdFor(new Promise((_, reject) => setImmediate(() => reject(new Error("no")))));
    const failed = expect(failing).rejects.toThrow("no");
    await clock.advance(10);
    await failed;
    expect(clock.now()).toBe(10);
  });
});
