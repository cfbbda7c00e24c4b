import type { ChaosReport } from "./chaos-run.ts";

const SHOWN_PER_RULE_MAX = 5;
const DETAIL_CHARS_MAX = 4_000;

/** The report as lines: a table, what was violated with its rows, and a closing line. */
export function printReport(report: ChaosReport): string[] {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  const rows: [string, string][] = [
    ["seed", String(report.seed)],
    ["calls accepted", String(report.calls)],
    ["faults", `${report.injected.length} (${list(report.faultsByKind)})`],
    ["  with work in flight", String(report.faultsInFlight)],
    ["workers killed at", list(report.points)],
    ["legs left behind", `${report.orphans}, gone ${seconds(report.silenceMaxMs)} after the kill at the latest`],
    ["starts that had to be repeated", String(report.failedStarts)],
    ["replies", list(report.replies)],
    ["calls ended as", list(report.endReasons)],
    ["quiet after", seconds(report.quietMs)],
    ["in all", seconds(report.totalMs)],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(32)}${value}`);
  for (const [rule, found] of Map.groupBy(report.violations, (violation) => violation.rule)) {
    lines.push(`VIOLATION: ${rule} (${found.length})`);
    for (const { detail } of found.slice(0, SHOWN_PER_RULE_MAX)) lines.push(`  ${detail.slice(0, DETAIL_CHARS_MAX)}`);
  }
  const verdict = report.violations.length === 0 ? "held" : `VIOLATED ${report.violations.length} times`;
  lines.push(
    `chaos: ${report.calls} calls, ${report.injected.length} faults, every promise ${verdict} (seed ${report.seed})`,
  );
  return lines;
}
