import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { expect, test } from "vitest";
import { SharedTick } from "./shared-tick.ts";

test("all calls of a thread share one timer, and without calls there is none", async () => {
  const clock = createVirtualClock();
  const tick = new SharedTick(clock);
  const looks = { one: 0, other: 0 };
  expect(clock.pendingTimers()).toBe(0);
  const leaveOne = tick.join(() => {
    looks.one += 1;
  });
  const leaveOther = tick.join(() => {
    looks.other += 1;
  });
  expect(clock.pendingTimers()).toBe(1);
  await clock.advance(100);
  leaveOne();
  await clock.advance(100);
  leaveOther();
  expect(looks).toEqual({ one: 10, other: 20 });
  expect(clock.pendingTimers()).toBe(0);
  await clock.advance(100);
  expect(looks).toEqual({ one: 10, other: 20 });
});

test("a call that leaves during its tick is not ticked again", async () => {
  const clock = createVirtualClock();
  const tick = new SharedTick(clock);
  let looks = 0;
  const leave = tick.join(() => {
    looks += 1;
    leave();
  });
  await clock.advance(200);
  expect(looks).toBe(1);
  expect(clock.pendingTimers()).toBe(0);
});

test.each([-1, 1])("a clock that is set by %i h stops no call", async (hours) => {
  const virtual = createVirtualClock();
  let setByMs = 0;
  const tick = new SharedTick({ ...virtual, now: () => virtual.now() + setByMs });
  let looks = 0;
  const leave = tick.join(() => {
    looks += 1;
  });
  await virtual.advance(100);
  setByMs = hours * 3_600_000;
  await virtual.advance(100);
  leave();
  expect(looks).toBeGreaterThanOrEqual(19);
  expect(looks).toBeLessThanOrEqual(21);
});
