import { recordingsFolder } from "../calls/recordings/recording-storage.ts";
import { type CheckReport, checkDatabase, type OnCheck } from "../platform/checks/check-invariants.ts";
import { checkRecordings } from "../platform/checks/check-recordings.ts";
import { openStores } from "../start/recordings.ts";
import { type Command, type CommandContext, refuseEmptyDatabase } from "./command.ts";
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
    const invariants = await checkDatabase(service.directUrl, { onCheck: reportChecks(context) });
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

/** Shows which check is under way: in a large installation some take minutes. */
export function reportChecks({ report }: Pick<CommandContext, "report">): OnCheck {
  return (name, place, count) => report(`${name}: check ${place} of ${count}`);
}

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
