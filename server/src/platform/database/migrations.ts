import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

const FOLDER = new URL("../../../migrations/", import.meta.url);

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The schema as one whole, from which a new database is made instead of from the migrations that it stands for. */
export interface Baseline {
  /** By subject, in the order in which they are run. */
  readonly files: readonly Migration[];
  /** Initial rows as CSV. The header line names the columns. */
  readonly data: readonly { readonly table: string; readonly csv: string }[];
  readonly standsFor: readonly string[];
}

export interface MigrationSet {
  readonly baseline: Baseline | null;
  /** Every migration, also those that the baseline stands for, in the order of their numbers. */
  readonly numbered: readonly Migration[];
}

export async function readMigrations(): Promise<MigrationSet> {
  const [before, after, files, csvNames] = await Promise.all([
    readSqlFiles("before-baseline/"),
    readSqlFiles(""),
    readSqlFiles("baseline/"),
    listFiles("baseline/", ".csv"),
  ]);
  const data = csvNames.map(async (name) => ({
    table: name.slice(0, -".csv".length),
    csv: await readFile(new URL(`baseline/${name}`, FOLDER), "utf8"),
  }));
  return {
    baseline: { files, data: await Promise.all(data), standsFor: before.map(({ name }) => name) },
    numbered: [...before, ...after].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

async function readSqlFiles(folder: string): Promise<Migration[]> {
  const names = await listFiles(folder, ".sql");
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(folder + name, FOLDER), "utf8") })),
  );
}

async function listFiles(folder: string, ending: string): Promise<string[]> {
  return (await readdir(new URL(folder, FOLDER))).filter((name) => name.endsWith(ending)).sort();
}

export function checksumOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

const NO_TRANSACTION = "--! no-transaction\n";

/**
 * Some statements cannot run inside a transaction, `create index concurrently` above all. A migration that begins with
 * this line is run statement by statement, and from its start again after an interruption.
 */
export function runsOutsideTransaction({ sql }: Migration): boolean {
  return sql.startsWith(NO_TRANSACTION);
}

const READABLE_SINCE = /^--! readable since (\S+)$/m;

/**
 * The migration that a release must know to work with a schema that has this one. Migrations that only add to the schema
 * leave every release working that knows the baseline. One that takes something away names the migration since which no
 * release uses it.
 */
export function readableSince({ sql }: Migration, numbered: readonly Migration[]): string {
  return READABLE_SINCE.exec(sql)?.[1] ?? numbered[0]?.name ?? "";
}

/** The statements of a migration that runs outside a transaction: each ends with a semicolon at the end of its line. */
export function splitStatements({ name, sql }: Migration): string[] {
  if (sql.includes("$$")) throw new Error(`${name}: a function cannot be made in a migration without a transaction`);
  const statements = sql.split(/;[ \t]*(?:\n|$)/).map((statement) => statement.replace(/^\s*--.*$/gm, "").trim());
  return statements.filter((statement) => statement !== "");
}

/**
 * Names that migrations had before they were renumbered, and their present names. Their content never differed, so a
 * database that applied one under its former name has it. Names are frozen by a test now: nothing is added here.
 */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  "0015_retention.sql": "0016_retention.sql",
  "0018_worker_pulse.sql": "0019_worker_pulse.sql",
  "0020_trunk_turns.sql": "0021_trunk_turns.sql",
  "0022_scenarios.sql": "0023_scenarios.sql",
  "0022_usage.sql": "0024_usage.sql",
  "0023_usage.sql": "0024_usage.sql",
  "0023_repeated_by_members.sql": "0025_repeated_by_members.sql",
  "0024_repeated_by_members.sql": "0025_repeated_by_members.sql",
  "0024_published_revision.sql": "0026_published_revision.sql",
  "0025_published_revision.sql": "0026_published_revision.sql",
  "0024_disclosure.sql": "0027_disclosure.sql",
  "0022_model_providers.sql": "0028_model_providers.sql",
  "0023_model_providers.sql": "0028_model_providers.sql",
  "0027_model_providers.sql": "0028_model_providers.sql",
};

export const FORMER_MIGRATION_NAMES = Object.keys(FORMER_NAMES);

export function presentMigrationName(name: string): string {
  return FORMER_NAMES[name] ?? name;
}
