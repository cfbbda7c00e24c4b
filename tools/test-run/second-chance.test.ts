import { expect, test } from "vitest";
import type { TestReport } from "./count-tests.ts";
import { countWithout, filesToRepeat } from "./second-chance.ts";

const file = (name: string, ...statuses: string[]) => ({
  name: `/somewhere/${name}`,
  status: statuses.every((status) => status === "passed") && statuses.length > 0 ? "passed" : "failed",
  assertionResults: statuses.map((status) => ({ status })),
});
const count = (files: readonly ReturnType<typeof file>[], wanted: string) =>
  files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted).length;
const reportOf = (...files: ReturnType<typeof file>[]): TestReport => ({
  success: files.every(({ status }) => status === "passed"),
  numPassedTests: count(files, "passed"),
  numFailedTests: count(files, "failed"),
  numPendingTests: count(files, "skipped"),
  numTodoTests: 0,
  testResults: files,
});

test("what failed in real time is repeated", () => {
  const report = reportOf(file("e2e/voice/talk.test.ts", "passed", "failed"), file("e2e/api/keys.test.ts", "passed"));
  expect(filesToRepeat(report)).toEqual(["/somewhere/e2e/voice/talk.test.ts"]);
});

test("what failed without a clock is not", () => {
  const report = reportOf(file("voice/src/turns/undo.test.ts", "failed"), file("e2e/api/keys.test.ts", "passed"));
  expect(filesToRepeat(report)).toEqual([]);
  expect(filesToRepeat(null)).toEqual([]);
});

test("the first run counts but for the files that are run again", () => {
  const talk = file("e2e/voice/talk.test.ts", "passed", "failed", "skipped");
  const rest = file("voice/src/turns/undo.test.ts", "passed", "failed");
  expect(countWithout(reportOf(talk, rest), [talk.name])).toEqual({ passed: 1, failed: 1 });
});

test("a file that did not even begin is counted once, and by its second run", () => {
  const broken = file("e2e/voice/talk.test.ts");
  const waiting = file("e2e/voice/hear.test.ts", "skipped", "skipped");
  const report = reportOf(broken, waiting, file("a.test.ts", "passed"));
  expect(countWithout(report, [broken.name, waiting.name])).toEqual({ passed: 1, failed: 0 });
});
