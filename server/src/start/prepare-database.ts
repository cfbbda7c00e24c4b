import { statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../platform/config/settings.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../platform/database/embedded/start-embedded-postgres.ts";
import { migrate } from "../platform/database/migrate.ts";
import type { Log } from "../platform/telemetry/log.ts";
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

/** What PostgreSQL's refusals mean for the author of DATABASE_URL (PostgreSQL, appendix A). */
const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "It refused the password.",
  "28000": "It does not let this role in from here.",
  "3D000": "It has no database of that name.",
  "42501": "The role may not create tables there: make it the owner of the database, or grant it CREATE on the schema.",
  "53300": "It has no connection left to give.",
};

/** Turns the failure of the first contact with an external database into words, without its password. */
function explainDatabaseError(error: unknown, databaseUrl: string): StartError {
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  const where = `${hostname || "localhost"}:${port || "5432"}, database ${pathname.slice(1) || "of the role's name"}, role ${username || "unnamed"}`;
  const refusal = REFUSALS[codesOf(error).find((code) => code in REFUSALS) ?? ""];
  const explanation = refusal ? `refused (${messageOf(error)}). ${refusal}` : `cannot be used: ${messageOf(error)}.`;
  return new StartError(
    `The PostgreSQL that DATABASE_URL names (${where}) ${explanation} ` +
      "Correct DATABASE_URL or the server, or leave DATABASE_URL unset to use the embedded one.",
    { cause: error },
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
