/** The part of vitest's JSON report that we read. */
export interface TestReport {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts so that no failure is lost: a file that did not load, a skipped test, and a run that failed without a failing
 * test each count as failed.
 */
export function countTests(report: TestReport | null, exitCode: number | null): Counts {
  if (!report) return { passed: 0, failed: 1 };
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  ).length;
  const failed = report.numFailedTests + brokenFiles + report.numPendingTests + report.numTodoTests;
  const failedOtherwise = failed === 0 && (exitCode !== 0 || !report.success);
  return { passed: report.numPassedTests, failed: failedOtherwise ? 1 : failed };
}
