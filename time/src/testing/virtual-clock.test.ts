import { expect, test } from "vitest";
import { createVirtualClock } from "./virtual-clock.ts";

test("timers fire by due time, and in the order set within one instant", async () => {
  const clock = createVirtualClock();
  const fired: string[] = [];
  for (const [name, delayMs] of [
    ["late", 30],
    ["first", 10],
    ["second", 10],
    ["middle", 20],
  ] as const) {
    clock.setTimer(delayMs, () => fired.push(`${name} at ${clock.now()}`));
  }
  await clock.advance(100);
  expect(fired).toEqual(["first at 10", "second at 10", "middle at 20", "late at 30"]);
  expect(clock.now()).toBe(100);
});

test("a cancelled timer does not fire, and pending timers are counted", async () => {
  const clock = createVirtualClock();
  const cancel = clock.setTimer(10, () => expect.fail("it was cancelled"));
  clock.setTimer(20, () => undefined);
  expect(clock.pendingTimers()).toBe(2);
  cancel();
  cancel();
  expect(clock.pendingTimers()).toBe(1);
  await clock.advance(50);
  expect(clock.pendingTimers()).toBe(0);
});

test("promises settle between one instant and the next", async () => {
  const clock = createVirtualClock();
  const order: string[] = [];
  clock.setTimer(10, () => {
    void Promise.resolve().then(() => order.push("promise"));
  });
  clock.setTimer(11, () => order.push("timer"));
  await clock.advance(20);
  expect(order).toEqual(["promise", "timer"]);
});

test("time passes until a condition holds or the limit is reached", async () => {
  const clock = createVirtualClock();
  let isSo = false;
  clock.setTimer(500, () => {
    isSo = true;
  });
  expect(await clock.advanceUntil(() => isSo, 100)).toBe(false);
  expect(clock.now()).toBe(100);
  expect(await clock.advanceUntil(() => isSo, 1_000)).toBe(true);
  expect(clock.now()).toBe(500);
});

test("timers that were set meanwhile by other timers and by promises fire", async () => {
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

test("time stands still during work that takes real time, and during the work it leads to", async () => {
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

test("time continues when the work it was held for fails, and the failure is passed on", async () => {
  const clock = createVirtualClock();
  const failing = clock.holdFor(new Promise((_, reject) => setImmediate(() => reject(new Error("no")))));
  const failed = expect(failing).rejects.toThrow("no");
  await clock.advance(10);
  await failed;
  expect(clock.now()).toBe(10);
});
