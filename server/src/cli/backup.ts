import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { recordAudit } from "../accounts/audit/record-audit.ts";
import { fingerprintOf } from "../platform/backup/secret-plan.ts";
import { writeBackup } from "../platform/backup/write-backup.ts";
import { loadSecret } from "../platform/config/secret.ts";
import type { Command } from "./command.ts";
import { refuseEmptyDatabase } from "./refuse-empty-database.ts";

export const backup: Command = {
  name: "backup",
  summary: "Write the whole database into one file, also while the service runs",
  words: ["FILE"],
  options: { force: { help: "Replace the file if it exists" } },
  async run(input, context) {
    const file = resolve(input.word("FILE"));
    const { settings } = context;
    const { db, databaseUrl, version } = await context.openGround();
    await refuseEmptyDatabase(db, settings);
    const secret = loadSecret(settings.secret, settings.dataDir);
    const written = await writeBackup({
      databaseUrl,
      file,
      force: input.has("force"),
      parleyVersion: version,
      secret: settings.secret === null ? secret : null,
      secretFingerprint: fingerprintOf(secret),
      onTable: (table, rows) => context.report(`${table}: ${rows} rows`),
    });
    await recordAudit(db, {
      accountId: null,
      actor: "operator",
      action: "backup.written",
      data: { snapshotAt: written.header.createdAt, rows: written.rows },
    });
    const { size: bytes } = await stat(file);
    const holdsSecret = settings.secret === null;
    return {
      json: {
        file,
        bytes,
        tables: written.tables,
        rows: written.rows,
        snapshotAt: written.header.createdAt,
        holdsSecret,
      },
      text: `${file}: ${written.rows} rows of ${written.tables} tables as of ${written.header.createdAt}, ${bytes} bytes`,
      notes: [
        holdsSecret
          ? "The file holds the installation's secret. Keep it as safe as the installation itself."
          : "The secret comes from PARLEY_SECRET and is not in the file. Without it the keys in the backup are dead.",
      ],
    };
  },
};
