import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { type Counts, countTests, type TestReport } from "./test-run/count-tests.ts";
import { installPackages } from "./test-run/install-packages.ts";
import { watchMachine } from "./test-run/machine-watch.ts";
import { findDisturbed, replaceCounts } from "./test-run/repeat-disturbed.ts";

const root = resolve(import.meta.dirname, "..");
/** A machine that is disturbed more often, or for longer, is not one to test on. */
const REPEATS_MAX = 5;
const REPEATS_MS_MAX = 20 * 60_000;

interface TestRun {
  /** Whether format, lint, types and unused code are checked. */
  readonly isStatic: boolean;
  /** The projects of vitest.config.ts, as vitest's `--project` takes them. Null runs no tests. */
  readonly projects: readonly string[] | null;
  /** Whether the tests use programs from Debian: a browser, SIP phones, another PostgreSQL. */
  readonly needsPackages: boolean;
  /** Whether the tests try every variant, as e2e/harness/thoroughness.ts describes. */
  readonly isThorough?: boolean;
}

const RUNS: Readonly<Record<string, TestRun>> = {
  // npm test: what must hold before a change is merged.
  "": { isStatic: true, projects: ["!long", "!thorough"], needsPackages: true },
  // npm run check
  "--only static": { isStatic: true, projects: null, needsPackages: false },
  // npm run test:fast: what a developer repeats while working.
  "--only fast": { isStatic: false, projects: ["unit", "isolated", "components", "database"], needsPackages: false },
  // npm run test:all: also the tests that take many minutes, for nightly runs and releases.
  "--all": { isStatic: true, projects: ["*"], needsPackages: true, isThorough: true },
};

async function runProgram(script: string, args: readonly string[], env = {}): Promise<number | null> {
  const program = spawn(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  await once(program, "exit");
  return program.exitCode;
}

/** Runs one step and prints how long it took. */
async function step(name: string, work: () => Promise<Counts> | Counts): Promise<Counts> {
  console.log(`\n== ${name}`);
  const startedMs = performance.now();
  const counts = await work();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`== ${name}: ${counts.failed === 0 ? "passed" : "FAILED"} in ${seconds} s`);
  return counts;
}

async function check(script: string, args: readonly string[]): Promise<Counts> {
  return { passed: 0, failed: (await runProgram(script, args)) === 0 ? 0 : 1 };
}

/** Null is the report of a run that broke off. */
async function runVitest(
  args: readonly string[],
  env = {},
): Promise<{ report: TestReport | null; exitCode: number | null }> {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const exitCode = await runProgram("vitest/vitest.mjs", ["run", ...reporters, ...args], env);
    return { report: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as TestReport) : null, exitCode };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What failed while the machine was not ours is run again, alone; whatever else failed has failed. */
async function runTests(projects: readonly string[]): Promise<Counts> {
  const chosen = projects.map((project) => `--project=${project}`);
  const machine = watchMachine();
  try {
    let { report, exitCode } = await runVitest(chosen);
    let counts = countTests(report, exitCode);
    const endMs = performance.now() + REPEATS_MS_MAX;
    for (let repeats = 0; repeats < REPEATS_MAX && performance.now() < endMs && report !== null; repeats++) {
      const disturbed = findDisturbed(report, machine);
      if (disturbed.length === 0) break;
      console.log("\n== run again, because the machine was not theirs:");
      for (const { path, trouble } of disturbed) console.log(`   ${relative(root, path)}: ${trouble}`);
      await machine.untilCalm();
      const files = disturbed.map(({ path }) => path);
      ({ report, exitCode } = await runVitest([...chosen, ...files], { PARLEY_TESTS_ALONE: "1" }));
      counts = replaceCounts(counts, disturbed, countTests(report, exitCode));
    }
    return counts;
  } finally {
    machine.stop();
  }
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
const { isStatic, projects, needsPackages } = chosen;

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
if (isStatic) {
  results.push(
    await step("format and lint", () => check("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."])),
  );
  results.push(await step("types", () => check("typescript/bin/tsc", ["-p", "."])));
  results.push(await step("types of the dashboard", () => check("typescript/bin/tsc", ["-p", "dashboard"])));
  results.push(await step("unused code and packages", () => check("knip/bin/knip.js", [])));
}
if (projects !== null) results.push(await step("tests", () => runTests(projects)));
finish(results);
