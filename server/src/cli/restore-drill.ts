import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { verifyBackup } from "../platform/backup/read-backup.ts";
import { fingerprintOf, restoreBackup } from "../platform/backup/restore-backup.ts";
import { checkDatabase } from "../platform/checks/check-invariants.ts";
import { readKeptSecret } from "../platform/config/secret.ts";
import { describeReport, reportChecks } from "./check.ts";
import type { Command } from "./command.ts";

export const restoreDrill: Command = {
  name: "restore-drill",
  summary: "Restore a backup into a database of its own, check it, and delete it again",
  words: ["FILE"],
  options: {
    folder: {
      value: "FOLDER",
      help: "Where the database is created meanwhile; default: the folder for temporary files",
    },
  },
  async run(input, context) {
    const startedMs = performance.now();
    const file = resolve(input.word("FILE"));
    const backup = await verifyBackup(file);
    const { directUrl } = await context.openScratchDatabase(resolve(input.option("folder") ?? tmpdir()));
    const { rows, unfinished } = await restoreBackup({
      databaseUrl: directUrl,
      file,
      backup,
      force: false,
      onTable: (table, count) => context.report(`${table}: ${count} rows`),
    });
    const { createdAt, secretFingerprint } = backup.header;
    const report = await checkDatabase(directUrl, { asOf: new Date(createdAt), onCheck: reportChecks(context) });
    const secret = backup.secret ?? context.settings.secret ?? readKeptSecret(context.settings.dataDir);
    const hasSecret = secret !== null && fingerprintOf(secret) === secretFingerprint;
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
    return {
      json: { file, snapshotAt: createdAt, rows, tables: backup.tables.length, seconds, hasSecret, unfinished, report },
      text: [
        `${rows} rows of ${backup.tables.length} tables as of ${createdAt} were restored and checked in ${seconds} s.`,
        describeReport(report),
        hasSecret
          ? "The secret of the backup is at hand."
          : "The secret of the backup is neither in it nor here: without it, no key or sign-in in it works.",
      ].join("\n"),
      isFailure: !report.ok || !hasSecret,
    };
  },
};
