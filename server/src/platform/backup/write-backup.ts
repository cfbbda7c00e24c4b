import { createHash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { createClient } from "../database/connecting/connect.ts";
import { BackupError, type BackupHeader, END_OF_ROWS, FORMAT_NAME, FORMAT_VERSION } from "./backup-format.ts";
import { beginSnapshot, copyOut, readMigrationNames, readTables } from "./backup-store.ts";
import { countLines } from "./read-backup.ts";

export interface WriteBackupOptions {
  readonly databaseUrl: string;
  readonly file: string;
  /** Replace a file that is already there. */
  readonly force: boolean;
  readonly parleyVersion: string;
  /** The secret kept in the data folder; null when it comes from the settings, which are not ours to keep. */
  readonly secret: string | null;
  readonly secretFingerprint: string;
  onTable(table: string, rows: number): void;
}

export interface WrittenBackup {
  readonly header: BackupHeader;
  readonly tables: number;
  readonly rows: number;
}

/** Writes everything the database holds at one moment into one file that only its owner can read. */
export async function writeBackup(options: WriteBackupOptions): Promise<WrittenBackup> {
  if (!options.force && existsSync(options.file)) {
    throw new BackupError(`${options.file} exists. Choose another name, or replace it with --force.`);
  }
  const partial = `${options.file}.partial`;
  const client = createClient(options.databaseUrl, { application_name: "parley-backup" });
  // A connection that is lost fails the statement under way; that is where it is reported.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const createdAt = await beginSnapshot(client);
    const header: BackupHeader = {
      format: FORMAT_NAME,
      formatVersion: FORMAT_VERSION,
      parleyVersion: options.parleyVersion,
      createdAt: createdAt.toISOString(),
      migrations: await readMigrationNames(client),
      secretFingerprint: options.secretFingerprint,
    };
    const sums = { tables: 0, rows: 0 };
    // A leftover may have been created with a wider mode, which opening it again would keep.
    await rm(partial, { force: true });
    await pipeline(
      Readable.from(withDigest(writeParts(client, header, options, sums), sums)),
      createGzip(),
      createWriteStream(partial, { mode: 0o600, flags: "wx", flush: true }),
    );
    await rename(partial, options.file);
    return { header, ...sums };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    await client.end();
  }
}

interface Sums {
  tables: number;
  rows: number;
}

async function* writeParts(
  client: pg.Client,
  header: BackupHeader,
  options: WriteBackupOptions,
  sums: Sums,
): AsyncGenerator<Buffer> {
  yield line(header);
  yield line({ secret: options.secret });
  for (const table of await readTables(client)) {
    yield line({ table: table.name, columns: table.columns });
    let rows = 0;
    for await (const chunk of client.query(copyTo(copyOut(table))) as AsyncIterable<Buffer>) {
      rows += countLines(chunk);
      yield chunk;
    }
    yield Buffer.from(END_OF_ROWS);
    yield line({ rows });
    sums.tables += 1;
    sums.rows += rows;
    options.onTable(table.name, rows);
  }
}

/** Passes everything on and adds the last line. */
async function* withDigest(parts: AsyncIterable<Buffer>, sums: Sums): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
  yield line({ tables: sums.tables, sha256: hash.digest("hex") });
}

function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
