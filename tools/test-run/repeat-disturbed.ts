import type { Counts, TestReport } from "./count-tests.ts";
import type { MachineWatch } from "./machine-watch.ts";

/** A file that failed while the machine was not ours: its result says nothing about the program. */
export interface DisturbedFile {
  readonly path: string;
  readonly trouble: string;
  /** How many tests it counted as passed, and as failed. */
  readonly counts: Counts;
}

export function findDisturbed(report: TestReport, machine: Pick<MachineWatch, "troubleBetween">): DisturbedFile[] {
  return report.testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, startTime, endTime, assertionResults }) => {
      const trouble = machine.troubleBetween(startTime, endTime);
      if (trouble === null) return [];
      const count = (status: string) => assertionResults.filter((each) => each.status === status).length;
      return [{ path: name, trouble, counts: { passed: count("passed"), failed: Math.max(1, count("failed")) } }];
    });
}

/** The counts of a run, with those of another run of these files alone in place of theirs. */
export function replaceCounts(run: Counts, disturbed: readonly DisturbedFile[], again: Counts): Counts {
  const replace = (name: keyof Counts) =>
    disturbed.reduce((sum, { counts }) => sum - counts[name], run[name]) + again[name];
  return { passed: replace("passed"), failed: replace("failed") };
}
