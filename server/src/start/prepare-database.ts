import { statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../platform/config/settings.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../platform/database/embedded/start-embedded-postgres.ts";
import { migrate } from "../platform/database/migrate.ts";
import type { Log } from "../platform/telemetry/log.ts";
import { explainDatabaseError } from "./explain-database.ts";
import { StartError } from "./start-error.ts";

export interface PreparedDatabase {
  readonly databaseUrl: string;
  /** Releases the embedded PostgreSQL, which ends when no other process uses it. */
  stop(): Promise<void>;
}

/** Finds the database, starting the embedded one when none is named, and brings its schema up to date. */
export async function prepareDatabase(settings: Settings, log: Log): Promise<PreparedDatabase> {
  const embedded = settings.databaseUrl ? null : await startEmbedded(settings.dataDir, log);
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? "";
  try {
    const applied = await migrate(databaseUrl).catch((error: unknown) => {
      throw settings.databaseUrl ? explainDatabaseError(error, settings.databaseUrl) : error;
    });
    if (applied.length > 0) log.info({ applied }, "database migrated");
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  return { databaseUrl, stop: async () => embedded?.stop() };
}

/** For commands on an existing installation: a mistyped folder must not become a new one. Creates nothing. */
export function refuseMissingDatabase(settings: Settings): void {
  const error = lookForDatabase(settings);
  if (error) {
    throw new StartError(
      `There is no database in ${settings.dataDir}. Set PARLEY_DATA_DIR to the data folder of the installation, or DATABASE_URL ` +
        "if it has a PostgreSQL of its own. A new installation is made by starting the service.",
      { cause: error },
    );
  }
}

/** Whether there is a database to ask, before anything is started for it. */
export function hasDatabase(settings: Settings): boolean {
  return lookForDatabase(settings) === null;
}

/** Why there is none, or null. */
function lookForDatabase({ databaseUrl, dataDir }: Settings): Error | null {
  if (databaseUrl) return null;
  try {
    // This folder appears complete, by one rename, at the first start.
    statSync(join(dataDir, "postgres", "database"));
    return null;
  } catch (error) {
    // A folder that this account may not look into is explained by the launcher.
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? (error as Error) : null;
  }
}

/** The launcher's message says what the operator can do about it. */
async function startEmbedded(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ dataDir, log });
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
