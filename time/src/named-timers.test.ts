import { expect, test } from "vitest";
import { NamedTimers } from "./named-timers.ts";
import { createManualClock } from "./testing/manual-clock.ts";

test("a timer that is set again starts over and fires once", () => {
  const timers = createManualClock();
  const named = new NamedTimers(timers);
  const fired: string[] = [];
  named.set("hangup", 100, () => fired.push("first"));
  timers.pass(60);
  named.set("hangup", 100, () => fired.push("second"));
  timers.pass(60);
  expect(fired).toEqual([]);
  timers.pass(40);
  expect(fired).toEqual(["second"]);
});

test("cancelling one timer leaves the others, cancelling all leaves none", () => {
  const timers = createManualClock();
  const named = new NamedTimers<"a" | "b" | "c">(timers);
  const fired: string[] = [];
  for (const name of ["a", "b", "c"] as const) named.set(name, 10, () => fired.push(name));
  named.cancel("a");
  named.cancel("a");
  expect(timers.pending()).toBe(2);
  named.cancelAll();
  timers.pass(10);
  expect(fired).toEqual([]);
  expect(timers.pending()).toBe(0);
});

test("a timer that has fired can be set again from its own callback", () => {
  const timers = createManualClock();
  const named = new NamedTimers(timers);
  let fired = 0;
  const repeat = () => {
    fired += 1;
    named.set("tick", 10, repeat);
  };
  named.set("tick", 10, repeat);
  timers.pass(10);
  timers.pass(10);
  expect(fired).toBe(2);
  expect(timers.pending()).toBe(1);
});

test("a delay in the past fires at the next opportunity", () => {
  const delays: number[] = [];
  const named = new NamedTimers({
    setTimer(delayMs) {
      delays.push(delayMs);
      return () => undefined;
    },
  });
  named.set("late", -5, () => undefined);
  expect(delays).toEqual([0]);
});
