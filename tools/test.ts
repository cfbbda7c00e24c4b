import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
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
  // npm run test:fast: what a developer repeats while working. What starts threads and processes takes a minute more.
  "--only fast": { isStatic: false, projects: ["unit", "components*", "database"], needsPackages: false },
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
  printResult(name, counts, performance.now() - startedMs);
  return counts;
}

function printResult(name: string, { failed }: Counts, durationMs: number): void {
  console.log(`== ${name}: ${failed === 0 ? "passed" : "FAILED"} in ${(durationMs / 1000).toFixed(1)} s`);
}

/**
 * Runs a check beside others, and prints everything that it wrote when it and the tests are over: Vitest draws over what
 * others write. Beside tests it gets what they leave of the processor.
 */
async function check(
  name: string,
  script: string,
  args: readonly string[],
  tests: Promise<unknown> | null,
): Promise<Counts> {
  const startedMs = performance.now();
  const words = [process.execPath, join(root, "node_modules", script), ...args];
  const [program = process.execPath, ...rest] = tests ? ["nice", "-n", "19", ...words] : words;
  const running = spawn(program, rest, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(running, "close");
  const [out, err] = await Promise.all([text(running.stdout), text(running.stderr)]);
  const [exitCode] = await closed;
  const durationMs = performance.now() - startedMs;
  await tests;
  const counts = { passed: 0, failed: exitCode === 0 ? 0 : 1 };
  console.log(`\n== ${name}\n${out}${err}`.trimEnd());
  printResult(name, counts, durationMs);
  return counts;
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
const tests = projects === null ? null : step("tests", () => runTests(projects));
if (isStatic) {
  // All at once: knip and one checker of types use one core each, and further checkers repeat what the first one does.
  const checks = [
    check("format and lint", "@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."], tests),
    check("types", "typescript/bin/tsc", ["-p", ".", "--checkers", "1"], tests),
    check("types of the dashboard", "typescript/bin/tsc", ["-p", "dashboard", "--checkers", "1"], tests),
    check("unused code and packages", "knip/bin/knip.js", [], tests),
  ];
  results.push(...(await Promise.all(checks)));
}
if (tests !== null) results.push(await tests);
finish(results);
