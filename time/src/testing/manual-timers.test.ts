import { expect, test } from "vitest";
import { createManualTimers } from "./manual-timers.ts";

test("a due timer fires once, and the others keep their remaining time", () => {
  const timers = createManualTimers();
  const fired: string[] = [];
  timers.setTimer(10, () => fired.push("early"));
  timers.setTimer(30, () => fired.push("late"));
  timers.pass(20);
  expect(fired).toEqual(["early"]);
  timers.pass(10);
  expect(fired).toEqual(["early", "late"]);
  expect(timers.pending()).toBe(0);
});

test("a timer that another one cancels at the same instant does not fire", () => {
  const timers = createManualTimers();
  const cancels: (() => void)[] = [];
  timers.setTimer(10, () => {
    for (const cancel of cancels) cancel();
  });
  cancels.push(timers.setTimer(10, () => expect.unreachable()));
  timers.pass(10);
  expect(timers.pending()).toBe(0);
});
