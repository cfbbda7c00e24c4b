import { expect, test } from "vitest";
import { createSpareMachine, readProcessorTimes } from "./start-second-pass.ts";

function machine(hasLiveCalls: boolean) {
  let times = { busyMs: 1_000, totalMs: 10_000 };
  const hasSpareTime = createSpareMachine(
    async () => hasLiveCalls,
    () => times,
  );
  return {
    hasSpareTime,
    pass(busyMs: number, totalMs: number) {
      times = { busyMs: times.busyMs + busyMs, totalMs: times.totalMs + totalMs };
    },
  };
}

test("without live calls there is time, however busy the machine is", async () => {
  const { hasSpareTime, pass } = machine(false);
  pass(1_000, 1_000);
  expect(await hasSpareTime()).toBe(true);
});

test("during calls a busy machine has no time to spare, and an idle one has", async () => {
  const { hasSpareTime, pass } = machine(true);
  pass(600, 1_000);
  expect(await hasSpareTime()).toBe(false);
  pass(100, 1_000);
  expect(await hasSpareTime()).toBe(true);
  // Nothing is known about a moment in which no time passed.
  expect(await hasSpareTime()).toBe(false);
});

test("the processors of this machine can be asked", () => {
  const { busyMs, totalMs } = readProcessorTimes();
  expect(busyMs).toBeGreaterThan(0);
  expect(totalMs).toBeGreaterThan(busyMs);
});
