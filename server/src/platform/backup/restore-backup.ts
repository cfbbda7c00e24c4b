import { once } from "node:events";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { type CopyStreamQuery, from as copyFrom } from "pg-copy-streams";
import { deriveSecrets } from "../config/secret.ts";
import { createClient } from "../database/connecting/connect.ts";
import { presentMigrationName } from "../database/migrations.ts";
import { BackupError } from "./backup-format.ts";
import {
  addKeys,
  analyzeTables,
  beginRestore,
  copyIn,
  countServiceConnections,
  countUnfinishedCalls,
  dropKeys,
  emptyTables,
  lockAndCountAccounts,
  readForeignKeys,
  readMigrationNames,
  readTables,
  type UnfinishedCalls,
} from "./backup-store.ts";
import { readBackup, type VerifiedBackup } from "./read-backup.ts";

export interface RestoreOptions {
  readonly databaseUrl: string;
  readonly file: string;
  readonly backup: VerifiedBackup;
  /** Replace what the database holds. */
  readonly force: boolean;
  onTable(table: string, rows: number): void;
}

export interface RestoredBackup {
  readonly rows: number;
  /** Calls that had not ended when the backup was created. */
  readonly unfinished: UnfinishedCalls;
}

/** Puts back what a backup holds, all of it or nothing. The file must have been verified. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const client = createClient(options.databaseUrl, { application_name: "parley-restore" });
  // A connection that is lost fails the statement under way; that is where it is reported.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await beginRestore(client);
    await refuseUnfit(client, options);
    const tables = options.backup.tables;
    await emptyTables(client, tables);
    const keys = await readForeignKeys(client);
    await dropKeys(client, keys);
    const rows = await fillTables(client, options);
    await addKeys(client, keys);
    const unfinished = await countUnfinishedCalls(client);
    await client.query("commit");
    await analyzeTables(client, tables);
    return { rows, unfinished };
  } finally {
    // Whatever was not committed is gone with the connection.
    await client.end();
  }
}

async function refuseUnfit(client: pg.Client, { backup, force }: RestoreOptions): Promise<void> {
  refuseOtherRelease(backup, await readMigrationNames(client));
  if ((await countServiceConnections(client)) > 0) {
    throw new BackupError("The service is running on this database. Stop it, then restore.");
  }
  const accounts = await lockAndCountAccounts(client);
  if (accounts > 0 && !force) {
    throw new BackupError(
      `The database is not empty: it has ${accounts} account${accounts === 1 ? "" : "s"}. --force deletes everything in it first.`,
    );
  }
  const here = new Map((await readTables(client)).map((table) => [table.name, table]));
  const strange = backup.tables.filter(({ name, columns }) => {
    const known = new Set(here.get(name)?.columns);
    return columns.length !== known.size || columns.some((column) => !known.has(column));
  });
  const missing = [...here.keys()].filter((name) => !backup.tables.some((table) => table.name === name));
  if (strange.length > 0 || missing.length > 0) {
    const names = [...strange.map((table) => table.name), ...missing].join(", ");
    throw new BackupError(`The tables of the backup and of the database are not the same: ${names}.`);
  }
}

function refuseOtherRelease({ header }: VerifiedBackup, here: readonly string[]): void {
  const known = new Set(here);
  const kept = new Set(header.migrations.map(presentMigrationName));
  const newer = [...kept].filter((name) => !known.has(name));
  const older = here.filter((name) => !kept.has(name));
  const madeBy = `The backup was made by Parley ${header.parleyVersion}`;
  if (newer.length > 0) {
    throw new BackupError(`${madeBy}, which is newer: it has ${newer.join(", ")}. Restore it with that release.`);
  }
  if (older.length > 0) {
    throw new BackupError(
      `${madeBy}, which is older: it lacks ${older.join(", ")}. Restore it with that release, then start this one.`,
    );
  }
}

async function fillTables(client: pg.Client, { file, onTable }: RestoreOptions): Promise<number> {
  let sum = 0;
  let table = "";
  let filling: Filling | null = null;
  for await (const part of readBackup(file)) {
    if (part.kind === "table") {
      table = part.name;
      filling = startFilling(client.query(copyFrom(copyIn(part))));
    } else if (part.kind === "rows") {
      await filling?.write(part.bytes);
    } else if (part.kind === "table_end") {
      const rows = await filling?.end();
      if (rows !== part.rows) throw new BackupError(`${table}: ${rows} rows arrived of ${part.rows}.`);
      filling = null;
      sum += part.rows;
      onTable(table, part.rows);
    }
  }
  return sum;
}

interface Filling {
  write(bytes: Buffer): Promise<void>;
  /** Returns how many rows the database took. */
  end(): Promise<number>;
}

function startFilling(copy: CopyStreamQuery): Filling {
  const done = finished(copy);
  // The database may refuse rows between two writes; the next write, or the end, reports it. The stream has lost its
  // connection by then without being marked as failed, and breaks when it is used.
  let isRefused = false;
  done.catch(() => {
    isRefused = true;
  });
  return {
    async write(bytes) {
      if (isRefused) await done;
      if (!copy.write(bytes)) await Promise.race([once(copy, "drain"), done]);
    },
    async end() {
      if (!isRefused) copy.end();
      await done;
      return copy.rowCount;
    },
  };
}

/** Identifies secrets without revealing them. */
export function fingerprintOf(secret: string): string {
  return deriveSecrets(secret).sign("backup fingerprint").toString("hex").slice(0, 16);
}

export interface SecretSituation {
  /** From the settings, which win over everything else. */
  readonly configured: string | null;
  /** In the data folder. */
  readonly kept: string | null;
  /** In the backup. */
  readonly backedUp: string | null;
  readonly backedUpFingerprint: string;
  readonly force: boolean;
}

export interface SecretPlan {
  /** What to keep in the data folder from now on; null to leave it unchanged. */
  readonly replaceBy: string | null;
  /** Whether keys, sign-ins and links of the backup will work. */
  readonly isRight: boolean;
}

/** Which secret the service will have after a restore. Keys, cookies and links are known only by digests under it. */
export function planSecret(situation: SecretSituation): SecretPlan {
  const { configured, kept, backedUp, force } = situation;
  const takesOver = configured === null && backedUp !== null && backedUp !== kept && (kept === null || force);
  const inEffect = configured ?? (takesOver ? backedUp : kept);
  return {
    replaceBy: takesOver ? backedUp : null,
    isRight: inEffect !== null && fingerprintOf(inEffect) === situation.backedUpFingerprint,
  };
}
