import { parseArgs } from "node:util";
import { chooseSeed } from "../harness/choose-seed.ts";
import { runChaos } from "./chaos-run.ts";
import { printReport } from "./print-report.ts";
import { startNaiveWorker } from "./start-naive-worker.ts";

// `npm run chaos -- [--full] [--seed N] [--calls N] [--seconds N] [--naive]`
const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    seed: { type: "string" },
    calls: { type: "string" },
    seconds: { type: "string" },
    naive: { type: "boolean", default: false },
  },
});

const report = await runChaos({
  seed: chooseSeed(values.seed ?? process.env["CHAOS_SEED"]),
  calls: Number(values.calls ?? (values.full ? 2_000 : 200)),
  seconds: Number(values.seconds ?? (values.full ? 240 : 38)),
  apis: 2,
  workers: 3,
  speed: 4,
  quietWithinMs: 90_000,
  legsGoneWithinMs: 15_000,
  say: (line) => console.log(line),
  ...(values.naive ? { startWorker: startNaiveWorker } : {}),
});
for (const line of printReport(report)) console.log(line);
process.exit(report.violations.length === 0 ? 0 : 1);
