import { expect, test } from "vitest";
import { runChaos } from "./chaos-run.ts";
import { startNaiveWorker } from "./start-naive-worker.ts";
import { chaosSeed, show } from "./test-chaos.ts";

// Long enough for both ways to kill the database. chaos.long.test.ts also pauses workers and reaches every kill point.
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
  expect(report.strikesByKind.database).toBeGreaterThanOrEqual(1);
  // Kills that hit an idle process prove nothing.
  expect(report.strikesInFlight).toBeGreaterThanOrEqual(5);
}, 900_000);

test("the same check catches a worker that takes a lease and dials again when it has expired", async () => {
  const report = await runChaos({
    seed: chaosSeed,
    calls: 60,
    seconds: 9,
    apis: 1,
    workers: 2,
    speed: 4,
    // No process ends what the killed workers had started, so there is no quiet state to wait for.
    quietWithinMs: 6_000,
    legsGoneWithinMs: 0,
    say: console.log,
    onlyWorkers: true,
    startWorker: startNaiveWorker,
  });
  const twice = report.violations.filter(({ rule }) => rule === "a call was dialed twice");
  console.log(`naive: ${twice.length} of ${report.calls} calls were dialed twice (seed ${chaosSeed})`);
  expect(twice.length).toBeGreaterThan(0);
}, 600_000);
