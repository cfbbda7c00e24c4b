import { type CheckReport, checkInvariants } from "../../checks/check-invariants.ts";
import type { Command } from "./command.ts";
import { printable } from "./format-table.ts";
import { refuseEmptyDatabase } from "./refuse-empty-database.ts";

export const check: Command = {
  name: "check",
  summary: "Look whether calls, events and money are as they must be",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openGround();
    await refuseEmptyDatabase(db, context.settings);
    const report = await checkInvariants(db);
    return { json: report, text: describeReport(report), isFailure: !report.ok };
  },
};

/** A line per violation, or one that says there is none. */
export function describeReport(report: CheckReport): string {
  if (report.ok) return `All ${report.results.length} checks passed.`;
  return report.results
    .flatMap(({ name, violations, total }) => [
      ...violations.map(({ subject, detail }) => printable(`${name}: ${subject} ${detail}`)),
      ...(total > violations.length ? [`${name}: and ${total - violations.length} more`] : []),
    ])
    .join("\n");
}
