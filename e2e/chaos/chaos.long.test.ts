import { expect, test } from "vitest";
import { runChaos } from "./chaos-run.ts";
import { KILL_POINTS } from "./kill-points.ts";
import { chaosSeed, show } from "./test-chaos.ts";

test("under kill -9 at every point of a call, with pauses longer than a lease, nothing is dialed twice and all calls end", async () => {
  const report = await runChaos({
    seed: chaosSeed,
    calls: 560,
    seconds: 36,
    apis: 2,
    workers: 3,
    speed: 4,
    quietWithinMs: 90_000,
    legsGoneWithinMs: 15_000,
    say: console.log,
  });
  show(report);
  expect(report.violations).toEqual([]);
  expect(report.faultsByKind.api).toBeGreaterThanOrEqual(2);
  expect(report.faultsByKind.database).toBeGreaterThanOrEqual(1);
  expect(report.faultsByKind.pause).toBeGreaterThanOrEqual(1);
  // Kills that hit an idle process prove nothing.
  expect(report.faultsInFlight).toBeGreaterThanOrEqual(25);
  expect(Object.keys(report.points).sort()).toEqual(KILL_POINTS.map(({ name }) => name).sort());
  expect(report.endReasons["worker_lost"]).toBeGreaterThan(0);
}, 900_000);
