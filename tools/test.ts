import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { type Counts, countTests, type TestReport } from "./test-run/count-tests.ts";
import { installPackages } from "./test-run/install-packages.ts";
import { countWithout, filesToRepeat } from "./test-run/second-chance.ts";

// `npm test`: everything that must hold, quickest first. `--only static` stops before the tests.
const root = resolve(import.meta.dirname, "..");
const NOTHING: Counts = { passed: 0, failed: 0 };

function runProgram(script: string, args: readonly string[]): number | null {
  const program = join(root, "node_modules", script);
  return spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: "inherit" }).status;
}

/** Runs one step and says how long it took. */
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

function runVitest(files: readonly string[]): { report: TestReport | null; exitCode: number | null } {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const exitCode = runProgram("vitest/vitest.mjs", ["run", ...reporters, ...files]);
    return { report: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as TestReport) : null, exitCode };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What talks in real time and failed is run once more, now that nothing else runs. A second failure is one. */
function runTests(): Counts {
  const { report, exitCode } = runVitest([]);
  const repeated = filesToRepeat(report);
  if (report === null || repeated.length === 0) return countTests(report, exitCode);
  console.log(`\n== once more, by itself: ${repeated.map((file) => relative(root, file)).join(", ")}`);
  const first = countWithout(report, repeated);
  const again = runVitest(repeated);
  const second = countTests(again.report, again.exitCode);
  return { passed: first.passed + second.passed, failed: first.failed + second.failed };
}

function finish(results: readonly Counts[]): never {
  const passed = results.reduce((sum, counts) => sum + counts.passed, 0);
  const failed = results.reduce((sum, counts) => sum + counts.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

const onlyStatic = process.argv.slice(2).join(" ") === "--only static";
if (process.argv.length > 2 && !onlyStatic) {
  console.error("Usage: npm test, or npm run check (the same with --only static)");
  process.exit(2);
}

const results: Counts[] = [];
if (!onlyStatic) {
  const packages = step("packages", () => {
    const problem = installPackages();
    if (problem) console.error(problem);
    return problem ? { passed: 0, failed: 1 } : NOTHING;
  });
  if (packages.failed > 0) finish([packages]);
}
results.push(step("format and lint", () => check("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."])));
results.push(step("types", () => check("typescript/bin/tsc", ["-p", "."])));
results.push(step("types of the dashboard", () => check("typescript/bin/tsc", ["-p", "dashboard"])));
if (!onlyStatic) results.push(step("tests", runTests));
finish(results);
