import { expect, test } from "vitest";
import { countTests, type TestReport } from "./count-tests.ts";

const clean: TestReport = {
  success: true,
  numPassedTests: 12,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ name: "a", status: "passed", startTime: 0, endTime: 1, assertionResults: [{ status: "passed" }] }],
};

test("a clean run is all passed", () => {
  expect(countTests(clean, 0)).toEqual({ passed: 12, failed: 0 });
});

test("a file that could not be loaded counts as a failure, a file with a failing test only by its tests", () => {
  const testResults = [
    { name: "a", status: "failed", startTime: 0, endTime: 1, assertionResults: [] },
    { name: "b", status: "failed", startTime: 0, endTime: 1, assertionResults: [{ status: "failed" }] },
  ];
  expect(countTests({ ...clean, success: false, numFailedTests: 1, testResults }, 1).failed).toBe(2);
});

test("a skipped test is not a passed test", () => {
  expect(countTests({ ...clean, numPendingTests: 1, numTodoTests: 1 }, 0).failed).toBe(2);
});

test("a run that failed for a reason outside the tests is a failure", () => {
  expect(countTests(clean, 1).failed).toBe(1);
  expect(countTests(null, 1)).toEqual({ passed: 0, failed: 1 });
});
