import { expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";

test("a due timer fires once, and the others keep their remaining time", () => {
  const clock = createManualClock();
  const fired: string[] = [];
  clock.setTimer(10, () => fired.push("early"));
  clock.setTimer(30, () => fired.push("late"));
  clock.pass(20);
  expect(fired).toEqual(["early"]);
  clock.pass(10);
  expect(fired).toEqual(["early", "late"]);
  expect(clock.pending()).toBe(0);
  expect(clock.now()).toBe(30);
});

test("timers that are due together fire in the order in which they are due", () => {
  const clock = createManualClock();
  const fired: string[] = [];
  clock.setTimer(20, () => fired.push("second"));
  clock.setTimer(10, () => fired.push("first"));
  clock.pass(30);
  expect(fired).toEqual(["first", "second"]);
});

test("a timer that another one cancels at the same instant does not fire", () => {
  const clock = createManualClock();
  const cancels: (() => void)[] = [];
  clock.setTimer(10, () => {
    for (const cancel of cancels) cancel();
  });
  cancels.push(clock.setTimer(10, () => expect.unreachable()));
  clock.pass(10);
  expect(clock.pending()).toBe(0);
});
