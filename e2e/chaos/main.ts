import { parseArgs } from "node:util";
import { chooseSeed } from "../harness/choose-seed.ts";
import { runChaos } from "./chaos-run.ts";
import { runDiskFull } from "./disk-full-run.ts";
import { printReport } from "./print-report.ts";
import { startNaiveWorker } from "./start-naive-worker.ts";
import { runSteady } from "./steady-run.ts";

// `npm run chaos -- [--full] [--only kills|steady|disk] [--seed N] [--calls N] [--seconds N] [--naive]`
const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    only: { type: "string" },
    seed: { type: "string" },
    calls: { type: "string" },
    seconds: { type: "string" },
    naive: { type: "boolean", default: false },
  },
});
const say = (line: string) => console.log(line);
// What was started ends with this process, but only an orderly exit does so.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** Kills everything under load. Returns whether every promise held. */
async function killAll(): Promise<boolean> {
  const report = await runChaos({
    seed: chooseSeed(values.seed ?? process.env["CHAOS_SEED"]),
    calls: Number(values.calls ?? (values.full ? 1_900 : 560)),
    seconds: Number(values.seconds ?? (values.full ? 120 : 36)),
    apis: 2,
    workers: 3,
    speed: 4,
    quietWithinMs: 90_000,
    legsGoneWithinMs: 15_000,
    say,
    ...(values.naive ? { startWorker: startNaiveWorker } : {}),
  });
  for (const line of printReport(report)) say(line);
  return report.violations.length === 0;
}

/** Runs disturbances that no callee may notice. Returns whether none did. */
async function disturb(): Promise<boolean> {
  const { violations } = await runSteady({ calls: 12, outageMs: values.full ? 60_000 : 20_000, say });
  for (const { rule, detail } of violations) say(`VIOLATION: ${rule}: ${detail}`);
  say(`steady: ${violations.length === 0 ? "no call was cut" : `VIOLATED ${violations.length} times`}`);
  return violations.length === 0;
}

/** Fills the disk of the database. Needs root, because only root can mount a small one. */
async function fillDisk(): Promise<boolean> {
  const violations = await runDiskFull({ calls: 6, fullMs: 15_000, say });
  for (const { rule, detail } of violations) say(`VIOLATION: ${rule}: ${detail}`);
  say(`disk: ${violations.length === 0 ? "every promise held" : `VIOLATED ${violations.length} times`}`);
  return violations.length === 0;
}

const PARTS: Readonly<Record<string, () => Promise<boolean>>> = { kills: killAll, steady: disturb, disk: fillDisk };
const usual = values.naive ? ["kills"] : values.full ? Object.keys(PARTS) : ["kills", "steady"];
const parts = (values.only?.split(",") ?? usual).flatMap((name) => PARTS[name] ?? []);
let isHeld = true;
for (const part of parts) isHeld = (await part()) && isHeld;
process.exit(isHeld ? 0 : 1);
