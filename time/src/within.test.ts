import { describe, expect, test } from "vitest";
import { createManualClock } from "./testing/manual-clock.ts";
import { pause, waitFor, within } from "./within.ts";

const late = () => "late" as const;
const never = new Promise<never>(() => undefined);

describe("a deadline", () => {
  test("returns the value of work done in time, and leaves no timer behind", async () => {
    const timers = createManualClock();
    expect(await within(timers, 100, Promise.resolve("value"), late)).toBe("value");
    expect(timers.pending()).toBe(0);
  });

  test("returns the fallback value when the time is over", async () => {
    const timers = createManualClock();
    const waiting = within(timers, 100, never, late);
    timers.pass(99);
    expect(timers.pending()).toBe(1);
    timers.pass(1);
    expect(await waiting).toBe("late");
  });

  test("throws the given error when the time is over", async () => {
    const timers = createManualClock();
    const waiting = within(timers, 100, never, () => {
      throw new Error("no answer");
    });
    timers.pass(100);
    await expect(waiting).rejects.toThrow("no answer");
  });

  test("fails with the error of the work, and leaves no timer behind", async () => {
    const timers = createManualClock();
    await expect(within(timers, 100, Promise.reject(new Error("broken")), late)).rejects.toThrow("broken");
    expect(timers.pending()).toBe(0);
  });

  test("work that fails after the deadline is not an unhandled rejection", async () => {
    const timers = createManualClock();
    const work = Promise.withResolvers<string>();
    const waiting = within(timers, 100, work.promise, late);
    timers.pass(100);
    expect(await waiting).toBe("late");
    // Vitest fails the run on an unhandled rejection.
    work.reject(new Error("too late to matter"));
  });
});

describe("waiting until an abort", () => {
  test("ends with the abort, and leaves neither timer nor listener behind", async () => {
    const timers = createManualClock();
    const controller = new AbortController();
    const waiting = waitFor(timers, 100, never, controller.signal);
    controller.abort();
    expect(await waiting).toEqual({ type: "aborted" });
    expect(timers.pending()).toBe(0);
  });

  test("does not start when the signal is already aborted, and the work may still fail", async () => {
    const timers = createManualClock();
    const work = Promise.reject(new Error("too late to matter"));
    expect(await waitFor(timers, 100, work, AbortSignal.abort())).toEqual({ type: "aborted" });
    expect(timers.pending()).toBe(0);
  });

  test("has no limit where none is given", async () => {
    const timers = createManualClock();
    expect(await waitFor(timers, null, Promise.resolve(7))).toEqual({ type: "done", value: 7 });
    expect(timers.pending()).toBe(0);
  });
});

describe("a pause", () => {
  test("ends after its time", async () => {
    const timers = createManualClock();
    const pausing = pause(timers, 50);
    timers.pass(50);
    await pausing;
    expect(timers.pending()).toBe(0);
  });

  test("is cut short by an abort", async () => {
    const timers = createManualClock();
    const controller = new AbortController();
    const pausing = pause(timers, 50, controller.signal);
    controller.abort();
    await pausing;
    expect(timers.pending()).toBe(0);
  });
});
