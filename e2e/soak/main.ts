import { parseArgs } from "node:util";
import { chooseSeed } from "../harness/choose-seed.ts";
import { runAllScenarios } from "./all-scenarios.ts";
import { printReport } from "./print-report.ts";
import { runSoak } from "./soak-run.ts";

// `npm run soak -- [--full] [--seed N] [--legs N] [--hands N] [--scenarios]`
const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    seed: { type: "string" },
    legs: { type: "string" },
    hands: { type: "string", default: "60" },
    round: { type: "string" },
    scenarios: { type: "boolean", default: false },
  },
});

const report = await runSoak({
  seed: chooseSeed(values.seed ?? process.env["SOAK_SEED"]),
  legs: Number(values.legs ?? (values.full ? 10_000 : 1_000)),
  hands: Number(values.hands),
  legsPerRound: Number(values.round ?? (values.full ? 1_000 : 500)),
  say: (line) => console.log(line),
});
for (const line of printReport(report)) console.log(line);
const failures = values.full || values.scenarios ? await runAllScenarios((line) => console.log(line)) : [];
for (const failure of failures) console.log(failure);
process.exit(report.violations.length + failures.length === 0 ? 0 : 1);
