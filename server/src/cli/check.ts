import { recordingsFolder } from "../calls/recordings/recording-storage.ts";
import { type CheckReport, checkInvariants } from "../platform/checks/check-invariants.ts";
import { checkRecordings } from "../platform/checks/check-recordings.ts";
import { openStores } from "../start/recordings.ts";
import { type Command, refuseEmptyDatabase } from "./command.ts";
import { printable } from "./table.ts";

export const check: Command = {
  name: "check",
  summary: "Look whether calls, events, money and recordings are as they must be",
  words: [],
  options: {
    elsewhere: { help: "Recordings may lie on other machines; only those that lie here are looked at" },
  },
  async run(input, context) {
    const service = await context.openService();
    const { db } = service;
    await refuseEmptyDatabase(db, context.settings);
    const invariants = await checkInvariants(db);
    const { stores: sources, close } = openStores(service);
    context.onClose(async () => close());
    const recordings = await checkRecordings({
      db,
      folder: recordingsFolder(context.settings.dataDir),
      sources,
      mayBeElsewhere: input.has("elsewhere"),
    });
    const results = [...invariants.results, ...recordings];
    const report = { ok: results.every(({ total }) => total === 0), results };
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
