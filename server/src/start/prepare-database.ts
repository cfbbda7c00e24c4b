import { statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../platform/config/settings.ts";
import { readDatabaseUrl } from "../platform/database/connecting/database-url.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../platform/database/embedded/start-embedded-postgres.ts";
import { migrate, SharedSessions } from "../platform/database/migrate.ts";
import type { Log } from "../platform/telemetry/log.ts";
import { StartError } from "./start-error.ts";

export interface PreparedDatabase {
  /** For statements and transactions. */
  readonly databaseUrl: string;
  /** For what needs a session of its own: LISTEN, migrations, jobs, backups. The same unless a pooler is used. */
  readonly directUrl: string;
  /** The names of the migrations that were applied now. */
  readonly applied: readonly string[];
  /** Releases the embedded PostgreSQL, which ends when no other process uses it. */
  stop(): Promise<void>;
}

/** Finds the database, starting the embedded one when none is named, and brings its schema up to date. */
export async function prepareDatabase(settings: Settings, log: Log, signal?: AbortSignal): Promise<PreparedDatabase> {
  const embedded = settings.databaseUrl ? null : await startEmbedded(settings.dataDir, log);
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? "";
  const directUrl = settings.databaseDirectUrl ?? databaseUrl;
  const directSetting = settings.databaseDirectUrl ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
  try {
    const applied = await migrate(directUrl, undefined, {
      ...(signal ? { signal } : {}),
      onWaiting: (holder) => log.info({ holder }, "waiting for another process that migrates the database"),
      onNewerSchema: (names) =>
        log.warn({ migrations: names }, "a newer release has migrated the database; this one works with it, too"),
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw settings.databaseUrl ? explainDatabaseError(error, directUrl, directSetting) : error;
    });
    if (applied.length > 0) log.info({ applied }, "database migrated");
    return { databaseUrl, directUrl, applied, stop: async () => embedded?.stop() };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
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

/** What PostgreSQL's refusals mean for the author of DATABASE_URL (PostgreSQL, appendix A). */
const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "It refused the password.",
  "28000": "It does not let this role in from here.",
  "3D000": "It has no database of that name.",
  "42501": "The role may not create tables there: make it the owner of the database, or grant it CREATE on the schema.",
  "53300": "It has no connection left to give.",
};

/** Turns the failure of the first contact with an external database into words, without its password. */
function explainDatabaseError(error: unknown, databaseUrl: string, setting: string): StartError {
  const read = readDatabaseUrl(databaseUrl);
  const where = `${read?.where}, database ${read?.database || "of the role's name"}, role ${read?.role || "unnamed"}`;
  if (error instanceof SharedSessions) return explainPooler(where, setting);
  const refusal = REFUSALS[codesOf(error).find((code) => code in REFUSALS) ?? ""];
  const explanation = refusal ? `refused (${messageOf(error)}). ${refusal}` : `cannot be used: ${messageOf(error)}.`;
  return new StartError(
    `The PostgreSQL that ${setting} names (${where}) ${explanation} ` +
      `Correct ${setting} or the server, or leave DATABASE_URL unset to use the embedded one.`,
    { cause: error },
  );
}

function explainPooler(where: string, setting: string): StartError {
  const remedy =
    setting === "DATABASE_URL"
      ? "Keep it, and set DATABASE_DIRECT_URL to the address of PostgreSQL itself, for migrations, notifications and jobs."
      : "It must lead to PostgreSQL itself, or to a pooler in session mode.";
  return new StartError(
    `${setting} (${where}) leads to a connection pooler that gives each transaction another session, such as PgBouncer in ` +
      `transaction mode. ${remedy}`,
  );
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as { code?: unknown };
  return [...(typeof code === "string" ? [code] : []), ...codesOf(error.cause)];
}

/** Trying each address of a name results in one error without its own message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
