import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Counts, countTests, type TestReport } from "./test-run/count-tests.ts";
import { installPackages } from "./test-run/install-packages.ts";

const root = resolve(import.meta.dirname, "..");

interface TestRun {
  /** Whether format, lint, types and unused code are checked. */
  readonly isStatic: boolean;
  /** The projects of vitest.config.ts, as vitest's `--project` takes them. Null runs no tests. */
  readonly projects: readonly string[] | null;
  /** Whether the tests use programs from Debian: a browser, SIP phones, another PostgreSQL. */
  readonly needsPackages: boolean;
}

const RUNS: Readonly<Record<string, TestRun>> = {
  // npm test: what must hold before a change is merged.
  "": { isStatic: true, projects: ["!long"], needsPackages: true },
  // npm run check
  "--only static": { isStatic: true, projects: null, needsPackages: false },
  // npm run test:fast: what a developer repeats while working.
  "--only fast": { isStatic: false, projects: ["unit", "isolated", "components", "database"], needsPackages: false },
  // npm run test:all: also the tests that take many minutes, for nightly runs and releases.
  "--all": { isStatic: true, projects: ["*"], needsPackages: true },
};

function runProgram(script: string, args: readonly string[]): number | null {
  const program = join(root, "node_modules", script);
  return spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: "inherit" }).status;
}

/** Runs one step and prints how long it took. */
function step(name: string, work: () => Counts): Counts {
  console.log(`\n== ${name}`);
  const startedMs = performance.now();
  const counts = work();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`== ${name}: ${counts.failed === 0 ? "passed" : "FAILED"} in ${seconds} s`);
  return counts;
}

function check(script: string, args: readonly string[]): Counts {
  return { passed: 0, failed: runProgram(script, args) === 0 ? 0 : 1 };
}

function runTests(projects: readonly string[]): Counts {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const chosen = projects.map((project) => `--project=${project}`);
    const exitCode = runProgram("vitest/vitest.mjs", ["run", ...reporters, ...chosen]);
    return countTests(existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as TestReport) : null, exitCode);
  } finally {
    rmSync(folder, { recursive: true });
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

const results: Counts[] = [];
if (needsPackages) {
  const packages = step("packages", () => {
    const problem = installPackages();
    if (problem) console.error(problem);
    return { passed: 0, failed: problem ? 1 : 0 };
  });
  if (packages.failed > 0) finish([packages]);
}
if (isStatic) {
  results.push(step("format and lint", () => check("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."])));
  results.push(step("types", () => check("typescript/bin/tsc", ["-p", "."])));
  results.push(step("types of the dashboard", () => check("typescript/bin/tsc", ["-p", "dashboard"])));
  results.push(step("unused code and packages", () => check("knip/bin/knip.js", [])));
}
if (projects !== null) results.push(step("tests", () => runTests(projects)));
finish(results);
