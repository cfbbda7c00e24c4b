import { chooseSeed } from "../harness/choose-seed.ts";
import type { ChaosReport } from "./chaos-run.ts";
import { printReport } from "./print-report.ts";

/** Always the same kills, so that a run can be compared with the last; `npm run chaos` tries new ones. */
export const chaosSeed = chooseSeed(process.env["CHAOS_SEED"] ?? "3157853134");

export function show(report: ChaosReport): void {
  for (const line of printReport(report)) console.log(line);
}
