import type { CpuInfo } from "node:os";
import { expect, test } from "vitest";
import { watchBusyCores } from "./busy-cores.ts";

test("the busy share is that of all cores since the last reading", () => {
  const core = (busy: number, idle: number): CpuInfo => ({
    model: "",
    speed: 0,
    times: { user: busy, nice: 0, sys: 0, irq: 0, idle },
  });
  let cores = [core(1_000, 9_000), core(5_000, 5_000)];
  const read = watchBusyCores(() => cores);
  expect(read()).toBeNull();
  cores = [core(1_900, 9_100), core(5_100, 5_900)];
  expect(read()).toBe(0.5);
  cores = [core(1_900, 10_100), core(5_100, 6_900)];
  expect(read()).toBe(0);
});
