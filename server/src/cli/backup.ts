import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, resolve } from "node:path";
import { recordAudit } from "../accounts/audit/record-audit.ts";
import { type VerifiedBackup, verifyBackup } from "../platform/backup/read-backup.ts";
import {
  fingerprintOf,
  planSecret,
  type RestoredBackup,
  restoreBackup,
  type SecretPlan,
} from "../platform/backup/restore-backup.ts";
import { writeBackup } from "../platform/backup/write-backup.ts";
import { checkDatabase } from "../platform/checks/check-invariants.ts";
import { loadSecret, readKeptSecret, secretPath } from "../platform/config/secret.ts";
import type { Settings } from "../platform/config/settings.ts";
import { describeReport, reportChecks } from "./check.ts";
import { type Command, CommandFailure, refuseEmptyDatabase } from "./command.ts";

export const backup: Command = {
  name: "backup",
  summary: "Write the whole database into one file, also while the service runs",
  words: ["FILE"],
  options: { force: { help: "Replace the file if it exists" } },
  async run(input, context) {
    const file = resolve(input.word("FILE"));
    const { settings } = context;
    const { db, directUrl: databaseUrl, version } = await context.openService();
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

export const restore: Command = {
  name: "restore",
  summary: "Put back what a backup holds, into an empty database",
  words: ["FILE"],
  options: { force: { help: "Delete what the database holds first, and replace the secret" } },
  async run(input, context) {
    const file = resolve(input.word("FILE"));
    const force = input.has("force");
    const verified = await verifyBackup(file);
    // Planned before anything is opened, because opening creates a secret where there is none.
    const plan = planForBackup(context.settings, verified, force);
    const { directUrl: databaseUrl } = await context.openDatabase();
    const restored = await replacingSecret(context.settings.dataDir, plan, () =>
      restoreBackup({
        databaseUrl,
        file,
        backup: verified,
        force,
        onTable: (table, rows) => context.report(`${table}: ${rows} rows`),
      }),
    );
    const { db, directUrl } = await context.openService();
    const snapshotAt = verified.header.createdAt;
    await recordAudit(db, {
      accountId: null,
      actor: "operator",
      action: "backup.restored",
      data: { snapshotAt, rows: restored.rows },
    });
    const report = await checkDatabase(directUrl, { asOf: new Date(snapshotAt), onCheck: reportChecks(context) });
    return {
      json: { file, snapshotAt, ...restored, secretReplaced: plan.replaceBy !== null, keysWork: plan.isRight, report },
      text: `${restored.rows} rows of ${verified.tables.length} tables are back as of ${snapshotAt}.\n${describeReport(report)}`,
      notes: notesOn(plan, restored.unfinished),
      isFailure: !report.ok,
    };
  },
};

function planForBackup(
  { secret, dataDir }: Settings,
  { header, ...backup }: VerifiedBackup,
  force: boolean,
): SecretPlan {
  const plan = planSecret({
    configured: secret,
    kept: readKeptSecret(dataDir),
    backedUp: backup.secret,
    backedUpFingerprint: header.secretFingerprint,
    force,
  });
  if (plan.isRight || force) return plan;
  if (backup.secret === null) {
    throw new CommandFailure(
      "The backup was made with another PARLEY_SECRET, so no key or sign-in in it would work here. " +
        "Set that one, or restore with --force all the same.",
    );
  }
  throw new CommandFailure(
    secret === null
      ? `${secretPath(dataDir)} is not the secret of the backup, so no key or sign-in in it would work here. --force replaces it.`
      : "PARLEY_SECRET is not the secret of the backup, so no key or sign-in in it would work here. " +
          "Leave it out to use the one in the backup, or restore with --force all the same.",
  );
}

/** Writes the secret beside its place first and moves it there once the rows are back: they belong together. */
async function replacingSecret<T>(dataDir: string, plan: SecretPlan, work: () => Promise<T>): Promise<T> {
  if (plan.replaceBy === null) return work();
  const path = secretPath(dataDir);
  const draft = `${path}.restored`;
  mkdirSync(dirname(path), { recursive: true });
  rmSync(draft, { force: true });
  writeFileSync(draft, plan.replaceBy, { mode: 0o600, flag: "wx" });
  try {
    const result = await work();
    renameSync(draft, path);
    return result;
  } finally {
    rmSync(draft, { force: true });
  }
}

function notesOn(plan: SecretPlan, { dialed, waiting }: RestoredBackup["unfinished"]): string[] {
  const notes: string[] = [];
  if (plan.replaceBy !== null) notes.push("The secret of the backup is in place.");
  if (!plan.isRight) notes.push("The secret is not that of the backup: its keys, sign-ins and links do not work.");
  if (dialed > 0) notes.push(`Calls under way in the backup: ${dialed}. Workers end them; they are not dialed again.`);
  if (waiting > 0) {
    notes.push(
      `Calls waiting in the backup: ${waiting}. Workers dial them, also those that were dialed after it was made.`,
      "Start with PARLEY_ROLES=api,jobs to look through them first.",
    );
  }
  return notes;
}

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
