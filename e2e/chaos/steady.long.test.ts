import { expect, test } from "vitest";
import { runSteady } from "./steady-run.ts";

const CALLS = 12;
// Twice as long as a lease lasts. `npm run chaos -- --full` takes it down for a minute.
const OUTAGE_MS = 20_000;

test("clock jumps, paused processes, a database outage and a deployment cut no call", async () => {
  const report = await runSteady({ calls: CALLS, outageMs: OUTAGE_MS, say: (line) => console.log(line) });
  expect(report.violations).toEqual([]);
  expect(new Set(Object.values(report.onTheLine))).toEqual(new Set([CALLS]));
  expect(report.orphans).toBeGreaterThan(0);
}, 900_000);
