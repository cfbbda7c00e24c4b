import { expect, test } from "vitest";
import { chooseSeed } from "../harness/choose-seed.ts";
import { type ChaosReport, runChaos } from "./chaos-run.ts";
import { KILL_POINTS } from "./kill-points.ts";
import { printReport } from "./print-report.ts";
import { startNaiveWorker } from "./start-naive-worker.ts";

/** Always the same blows, so that a run can be compared with the last; `npm run chaos` seeks new ones. */
const seed = chooseSeed(process.env["CHAOS_SEED"] ?? "3157853134");
const say = (line: string) => console.log(line);

function show(report: ChaosReport): void {
  for (const line of printReport(report)) say(line);
}

test("under kill -9 of api, workers and database every 200 is a row, nothing is dialed twice, all calls end, the ledger is exact", async () => {
  const report = await runChaos({
    seed,
    calls: 560,
    seconds: 36,
    apis: 2,
    workers: 3,
    speed: 4,
    quietWithinMs: 90_000,
    legsGoneWithinMs: 15_000,
    say,
  });
  show(report);
  expect(report.violations).toEqual([]);
  expect(report.strikesByKind.api).toBeGreaterThanOrEqual(2);
  expect(report.strikesByKind.database).toBeGreaterThanOrEqual(1);
  expect(report.strikesByKind.pause).toBeGreaterThanOrEqual(1);
  // Blows that hit nobody at work prove nothing.
  expect(report.strikesInFlight).toBeGreaterThanOrEqual(25);
  expect(Object.keys(report.points).sort()).toEqual(KILL_POINTS.map(({ name }) => name).sort());
  expect(report.endReasons["worker_lost"]).toBeGreaterThan(0);
}, 900_000);

test("the same check catches a worker that takes a lease and dials again when it has run out", async () => {
  const report = await runChaos({
    seed,
    calls: 60,
    seconds: 9,
    apis: 1,
    workers: 2,
    speed: 4,
    // Nobody ends what the killed ones had begun, so there is no quiet to wait for.
    quietWithinMs: 6_000,
    legsGoneWithinMs: 0,
    say,
    onlyWorkers: true,
    startWorker: startNaiveWorker,
  });
  const twice = report.violations.filter(({ rule }) => rule === "a call was dialed twice");
  say(`naive: ${twice.length} of ${report.calls} calls were dialed twice (seed ${seed})`);
  expect(twice.length).toBeGreaterThan(0);
}, 600_000);
