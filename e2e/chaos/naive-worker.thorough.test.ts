import { expect, test } from "vitest";
import { runChaos } from "./chaos-run.ts";
import { startNaiveWorker } from "./start-naive-worker.ts";
import { chaosSeed } from "./test-chaos.ts";

test("the check of chaos runs catches a worker that takes a lease and dials again when it has expired", async () => {
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
