import { expect, test } from "vitest";
import { runChaos } from "./chaos-run.ts";
import { chaosSeed, show } from "./test-chaos.ts";

// Long enough for both ways to kill the database. chaos.long.test.ts also pauses workers and reaches every kill point;
// naive-worker.thorough.test.ts shows that the check can fail.
test("under kill -9 of api, workers and database every 200 is a row, nothing is dialed twice, all calls end, the ledger is exact", async () => {
  const report = await runChaos({
    seed: chaosSeed,
    calls: 180,
    seconds: 12,
    apis: 2,
    workers: 3,
    speed: 4,
    quietWithinMs: 90_000,
    legsGoneWithinMs: 15_000,
    say: console.log,
  });
  show(report);
  expect(report.violations).toEqual([]);
  expect(report.faultsByKind.database).toBeGreaterThanOrEqual(1);
  // Kills that hit an idle process prove nothing.
  expect(report.faultsInFlight).toBeGreaterThanOrEqual(5);
}, 900_000);
