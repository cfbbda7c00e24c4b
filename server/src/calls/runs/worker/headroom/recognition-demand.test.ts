import { expect, test } from "vitest";
import { RecognitionDemand } from "./headroom-meter.ts";

/** Lets calls be recognized for some seconds. */
function hold(
  demand: RecognitionDemand,
  { seconds, calls, speechPerCall, speed }: { seconds: number; calls: number; speechPerCall: number; speed: number },
  from = { speechMs: 0, workMs: 0 },
) {
  let { speechMs, workMs } = from;
  for (let second = 0; second < seconds; second++) {
    demand.note({ requestedMs: speechMs, speechMs, workMs }, calls, 1_000);
    speechMs += calls * speechPerCall * 1_000;
    workMs += (calls * speechPerCall * 1_000) / speed;
  }
  demand.note({ requestedMs: speechMs, speechMs, workMs }, calls, 1_000);
  return { speechMs, workMs };
}

test("before any call, the demand follows from the speed at the start", () => {
  expect(new RecognitionDemand(20).workPerCall).toBeCloseTo(0.03);
  expect(new RecognitionDemand(10).workPerCall).toBeCloseTo(0.06);
});

test("a machine that became busy is noticed within seconds", () => {
  const demand = new RecognitionDemand(20);
  const work = hold(demand, { seconds: 30, calls: 5, speechPerCall: 0.6, speed: 20 });
  const quiet = demand.workPerCall;
  hold(demand, { seconds: 15, calls: 5, speechPerCall: 0.6, speed: 5 }, work);
  expect(demand.workPerCall).toBeGreaterThan(3 * quiet);
});

test("conversations in which callees talk more need more", () => {
  const demand = new RecognitionDemand(20);
  hold(demand, { seconds: 120, calls: 10, speechPerCall: 1.2, speed: 20 });
  expect(demand.workPerCall).toBeGreaterThan(0.05);
});

test("callees who happen to be silent do not make room for any number of calls", () => {
  const demand = new RecognitionDemand(20);
  hold(demand, { seconds: 3_600, calls: 10, speechPerCall: 0, speed: 20 });
  expect(demand.workPerCall).toBeCloseTo(0.01);
});

test("recognizers that were started again do not count backwards", () => {
  const demand = new RecognitionDemand(20);
  hold(demand, { seconds: 30, calls: 5, speechPerCall: 0.6, speed: 20 });
  demand.note({ requestedMs: 0, speechMs: 0, workMs: 0 }, 5, 1_000);
  expect(demand.workPerCall).toBeGreaterThan(0.02);
  expect(demand.workPerCall).toBeLessThan(0.04);
});
