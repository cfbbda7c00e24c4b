import { type Counts, countTests, type TestReport } from "./count-tests.ts";

/** Peers, speech and processes of their own, all in real time: a busy neighbour can make such a test fail. */
const IN_REAL_TIME = /(^|\/)e2e\//;

/** The files of a failed run that are run once more, alone. Everything else has no excuse. */
export function filesToRepeat(report: TestReport | null): readonly string[] {
  const failed = report?.testResults.filter(({ status }) => status === "failed") ?? [];
  return failed.map(({ name }) => name).filter((name) => IN_REAL_TIME.test(name));
}

/** What the first run says, but for the files that were run again. */
export function countWithout(report: TestReport, files: readonly string[]): Counts {
  const repeated = report.testResults.filter(({ name }) => files.includes(name));
  const assertions = repeated.flatMap(({ assertionResults }) => assertionResults);
  const passed = assertions.filter(({ status }) => status === "passed").length;
  const broken = repeated.filter(({ assertionResults }) => !assertionResults.some(({ status }) => status === "failed"));
  const all = countTests(report, 0);
  return { passed: all.passed - passed, failed: all.failed - (assertions.length - passed) - broken.length };
}
