import { expect, test } from "vitest";
import { findTrouble, parseTicks } from "./machine-watch.ts";

/** Two processors count 200 ticks a second. */
function samplesOf(
  seconds: number,
  takenShareAt: (second: number) => number,
  atMsOf = (second: number) => 1000 * second,
) {
  let takenTicks = 0;
  return Array.from({ length: 4 * seconds + 1 }, (_, quarter) => {
    takenTicks += 50 * takenShareAt(quarter / 4);
    return { atMs: atMsOf(quarter / 4), ticks: 50 * quarter, takenTicks };
  });
}

test("a machine that is ours has no trouble", () => {
  expect(
    findTrouble(
      samplesOf(60, () => 0.02),
      0,
      60_000,
    ),
  ).toBeNull();
});

test("a host that takes the processor for seconds is trouble, for who ran then", () => {
  const samples = samplesOf(120, (second) => (second >= 60 && second < 70 ? 0.4 : 0));
  expect(findTrouble(samples, 40_000, 80_000)).toBe("its host took 40 % of the processor");
  expect(findTrouble(samples, 0, 50_000)).toBeNull();
  expect(findTrouble(samples, 80_000, 120_000)).toBeNull();
});

test("a moment of it is not", () => {
  expect(
    findTrouble(
      samplesOf(60, (second) => (second === 30 ? 0.9 : 0.01)),
      0,
      60_000,
    ),
  ).toBeNull();
});

test("a machine that stands still is trouble", () => {
  const samples = samplesOf(
    60,
    () => 0,
    (second) => 1000 * second + (second > 30 ? 2_750 : 0),
  );
  expect(findTrouble(samples, 0, 60_000)).toBe("the machine stood still for 3.0 s");
  expect(findTrouble(samples, 0, 20_000)).toBeNull();
});

test("the kernel's own count is read", () => {
  expect(parseTicks("cpu  100 0 50 800 10 0 5 35 7 3\ncpu0 1 2 3\n")).toEqual({ ticks: 1000, takenTicks: 35 });
});
