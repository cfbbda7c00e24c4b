import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type Counts, countTests, type TestReport } from "./test-run/count-tests.ts";
import { installPackages } from "./test-run/install-packages.ts";
import { atLeastPriority } from "./test-run/least-priority.ts";
import { watchMachine } from "./test-run/machine-watch.ts";
import { findDisturbed, replaceCounts } from "./test-run/repeat-disturbed.ts";

const root = resolve(import.meta.dirname, "..");
/** A machine that is disturbed more often, or for longer, is not one to test on. */
const REPEATS_MAX = 5;
const REPEATS_MS_MAX = 20 * 60_000;
const NOTHING: Counts = { passed: 0, failed: 0 };

/** Tests that need nothing but the processor. */
const PROCESSOR_ONLY = ["unit", "components*"];

/** The projects are those of vitest.config.ts, as vitest's `--project` takes them. */
interface TestRun {
  /** Whether format, lint, types and unused code are checked. */
  readonly isStatic: boolean;
  /** Tests with audio in real time. They leave the others below and the checks half of the processor, so these are done beside them. */
  readonly inRealTime?: readonly string[];
  readonly besideRealTime?: readonly string[];
  /** Tests that use all of the processor. */
  readonly others?: readonly string[];
  /** Tests that have the machine to themselves. */
  readonly last?: readonly string[];
  /** Whether the tests use programs from Debian: a browser, SIP phones, another PostgreSQL. */
  readonly needsPackages: boolean;
  /** Whether the tests try every variant, as e2e/harness/thoroughness.ts describes. */
  readonly isThorough?: boolean;
}

const MERGED = {
  isStatic: true,
  needsPackages: true,
  inRealTime: ["realtime", "alone"],
  besideRealTime: PROCESSOR_ONLY,
  others: ["isolated", "database", "e2e"],
};

const RUNS: Readonly<Record<string, TestRun>> = {
  // npm test: what must hold before a change is merged.
  "": MERGED,
  // npm run check
  "--only static": { isStatic: true, needsPackages: false },
  // npm run test:fast: what a developer repeats while working. What starts threads and processes takes a minute more.
  "--only fast": { isStatic: false, needsPackages: false, others: [...PROCESSOR_ONLY, "database"] },
  // npm run test:all: also the tests that take many minutes, for nightly runs and releases.
  "--all": { ...MERGED, others: [...MERGED.others, "thorough"], last: ["long"], isThorough: true },
};

interface Finished {
  readonly exitCode: number | null;
  /** What it printed, if it ran beside others. */
  readonly printed: string;
}

/** Beside others it gets what they leave of the processor, and its output is kept: Vitest draws over what others write. */
async function runProgram(script: string, args: readonly string[], isBeside: boolean, env = {}): Promise<Finished> {
  const words: [string, ...string[]] = [process.execPath, join(root, "node_modules", script), ...args];
  const [command, ...rest] = isBeside ? atLeastPriority(words) : words;
  const program = spawn(command, rest, {
    cwd: root,
    stdio: isBeside ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ...env },
  });
  const closed = once(program, "close");
  const printed = await Promise.all([program.stdout, program.stderr].map((stream) => (stream ? text(stream) : "")));
  const [exitCode] = await closed;
  return { exitCode, printed: printed.join("") };
}

/** Prints the name of a step, what is printed meanwhile, its result and how long it took. */
async function step(name: string, work: () => Promise<Counts> | Counts): Promise<Counts> {
  console.log(`\n== ${name}`);
  const startedMs = performance.now();
  const counts = await work();
  printResult(name, counts, performance.now() - startedMs);
  return counts;
}

function printResult(name: string, { failed }: Counts, durationMs: number): void {
  console.log(`== ${name}: ${failed === 0 ? "passed" : "FAILED"} in ${(durationMs / 1000).toFixed(1)} s`);
}

/** A step beside another one, after which it is printed. */
async function stepBeside(
  other: Promise<unknown>,
  name: string,
  work: () => Promise<{ readonly counts: Counts; readonly printed: string }>,
): Promise<Counts> {
  const startedMs = performance.now();
  const { counts, printed } = await work();
  const durationMs = performance.now() - startedMs;
  await other;
  console.log(`\n== ${name}\n${printed}`.trimEnd());
  printResult(name, counts, durationMs);
  return counts;
}

async function check(script: string, args: readonly string[]) {
  const { exitCode, printed } = await runProgram(script, args, true);
  return { counts: { passed: 0, failed: exitCode === 0 ? 0 : 1 }, printed };
}

/** Null is the report of a run that broke off. */
async function runVitest(args: readonly string[], isBeside: boolean, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const finished = await runProgram("vitest/vitest.mjs", ["run", ...reporters, ...args], isBeside, env);
    const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as TestReport) : null;
    return { ...finished, report };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What failed while the machine was not ours is run again, alone; whatever else failed has failed. */
async function runTests(projects: readonly string[]): Promise<Counts> {
  const chosen = projects.map((project) => `--project=${project}`);
  const machine = watchMachine();
  try {
    let { report, exitCode } = await runVitest(chosen, false);
    let counts = countTests(report, exitCode);
    const endMs = performance.now() + REPEATS_MS_MAX;
    for (let repeats = 0; repeats < REPEATS_MAX && performance.now() < endMs && report !== null; repeats++) {
      const disturbed = findDisturbed(report, machine);
      if (disturbed.length === 0) break;
      console.log("\n== run again, because the machine was not theirs:");
      for (const { path, trouble } of disturbed) console.log(`   ${relative(root, path)}: ${trouble}`);
      await machine.untilCalm();
      const files = disturbed.map(({ path }) => path);
      ({ report, exitCode } = await runVitest([...chosen, ...files], false, { PARLEY_TESTS_ALONE: "1" }));
      counts = replaceCounts(counts, disturbed, countTests(report, exitCode));
    }
    return counts;
  } finally {
    machine.stop();
  }
}

async function runTestsBeside(projects: readonly string[]) {
  const chosen = projects.map((project) => `--project=${project}`);
  const { report, exitCode, printed } = await runVitest(chosen, true);
  return { counts: countTests(report, exitCode), printed };
}

function finish(results: readonly Counts[]): never {
  const passed = results.reduce((sum, counts) => sum + counts.passed, 0);
  const failed = results.reduce((sum, counts) => sum + counts.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

const chosen = RUNS[process.argv.slice(2).join(" ")];
if (chosen === undefined) {
  console.error("Usage: npm test, npm run check, npm run test:fast or npm run test:all");
  process.exit(2);
}
const { isStatic, inRealTime, besideRealTime, others, last, needsPackages } = chosen;

if (chosen.isThorough) process.env["PARLEY_TESTS_THOROUGH"] = "1";

const results: Counts[] = [];
if (needsPackages) {
  const packages = await step("packages", () => {
    const problem = installPackages();
    if (problem) console.error(problem);
    return { passed: 0, failed: problem ? 1 : 0 };
  });
  if (packages.failed > 0) finish([packages]);
}
const first = inRealTime ? step("tests in real time", () => runTests(inRealTime)) : Promise.resolve(NOTHING);
const beside: Promise<Counts>[] = [];
if (isStatic) {
  // All at once: knip and one checker of types use one core each, and further checkers repeat what the first one does.
  beside.push(
    stepBeside(first, "format and lint", () =>
      check("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]),
    ),
    stepBeside(first, "types", () => check("typescript/bin/tsc", ["-p", ".", "--checkers", "1"])),
    stepBeside(first, "types of the dashboard", () =>
      check("typescript/bin/tsc", ["-p", "dashboard", "--checkers", "1"]),
    ),
    stepBeside(first, "unused code and packages", () => check("knip/bin/knip.js", [])),
  );
}
if (besideRealTime) beside.push(stepBeside(first, "tests beside those", () => runTestsBeside(besideRealTime)));
results.push(await first, ...(await Promise.all(beside)));
if (others) results.push(await step(inRealTime ? "other tests" : "tests", () => runTests(others)));
if (last) results.push(await step("long tests", () => runTests(last)));
finish(results);
