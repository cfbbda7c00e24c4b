import { expect, test } from "vitest";
import { countTests, type TestReport } from "./count-tests.ts";
import { findDisturbed, replaceCounts } from "./repeat-disturbed.ts";

function file(name: string, startTime: number, statuses: readonly string[]) {
  const status = statuses.includes("failed") || statuses.length === 0 ? "failed" : "passed";
  return {
    name,
    status,
    startTime,
    endTime: startTime + 10,
    assertionResults: statuses.map((each) => ({ status: each })),
  };
}

const report: TestReport = {
  success: false,
  numPassedTests: 4,
  numFailedTests: 3,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [
    file("calm and passed", 0, ["passed", "passed"]),
    file("calm and failed", 20, ["failed"]),
    file("disturbed and passed", 100, ["passed"]),
    file("disturbed and failed", 110, ["passed", "failed", "failed"]),
    file("disturbed and broken", 120, []),
  ],
};
const machine = { troubleBetween: (startMs: number) => (startMs >= 100 ? "the machine stood still for 3.0 s" : null) };
const disturbed = findDisturbed(report, machine);

test("only what failed while the machine was not ours is run again", () => {
  expect(disturbed.map(({ path }) => path)).toEqual(["disturbed and failed", "disturbed and broken"]);
});

test("the second result of these files counts in place of the first, and no other", () => {
  const first = countTests(report, 1);
  expect(first).toEqual({ passed: 4, failed: 4 });
  expect(replaceCounts(first, disturbed, { passed: 7, failed: 0 })).toEqual({ passed: 10, failed: 1 });
  expect(replaceCounts(first, disturbed, { passed: 5, failed: 2 })).toEqual({ passed: 8, failed: 3 });
});
