import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { hasAnyAccount } from "../accounts/account-store.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/telemetry/log.ts";
import { type PreparedDatabase, prepareDatabase, refuseMissingDatabase } from "../start/prepare-database.ts";
import { openServiceContext, type ServiceContext } from "../start/service-context.ts";

export interface CommandOption {
  /** The placeholder of its value in the help; a flag has none. */
  readonly value?: string;
  readonly help: string;
  readonly isRequired?: boolean;
}

/** The arguments, validated against those of the command. */
export interface CommandInput {
  /** A word by the name it has in the command's `words`. */
  word(name: string): string;
  option(name: string): string | undefined;
  has(flag: string): boolean;
}

export interface CommandResult {
  /** For `--json`. */
  readonly json: unknown;
  /** For people, on standard output. */
  readonly text: string;
  /** For people, beside it: what a script that reads the output need not see. */
  readonly notes?: readonly string[];
  /** Set when the command worked but found problems. */
  readonly isFailure?: boolean;
}

export interface Command {
  /** One or two words, such as `accounts list`. */
  readonly name: string;
  readonly summary: string;
  /** What must follow the name, in order, such as `ACCOUNT`. */
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  run(input: CommandInput, context: CommandContext): Promise<CommandResult>;
}

/** Why a command cannot be executed, as a message for the operator. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The dependencies of a command. Each is opened on first use. */
export interface CommandContext {
  readonly settings: Settings;
  /** Refuses a data folder that holds no database. */
  openService(): Promise<ServiceContext>;
  /** Only the database, without connections to it and without a secret. Created if there is none. */
  openDatabase(): Promise<PreparedDatabase>;
  /** An embedded database in a new folder below the given one. Both are gone when the command ends. */
  openScratchDatabase(below: string): Promise<PreparedDatabase>;
  /** Shows the progress in the terminal. */
  report(line: string): void;
  /** A line on standard output, for commands that have something to say before they end. */
  print(line: string): void;
  /** A line that must not be shown: typed, or from standard input. */
  readSecret(): Promise<string>;
  /** A variable of the environment by its name. */
  readVariable(name: string): string | undefined;
  /** Registers cleanup that runs before everything else is closed, even after an interruption. */
  onClose(release: () => Promise<void>): void;
  close(): Promise<void>;
}

/** What a command receives from its terminal. */
export type CommandTerminal = Pick<CommandContext, "report" | "print" | "readSecret" | "readVariable">;

export function createCommandContext(settings: Settings, log: Log, terminal: CommandTerminal): CommandContext {
  let service: Promise<ServiceContext> | null = null;
  let database: Promise<PreparedDatabase> | null = null;
  const releases: (() => Promise<void>)[] = [];
  return {
    settings,
    ...terminal,
    async openService() {
      if (!service) refuseMissingDatabase(settings);
      service ??= openServiceContext(settings, log);
      return service;
    },
    openDatabase() {
      database ??= prepareDatabase(settings, log);
      return database;
    },
    async openScratchDatabase(below) {
      const dataDir = mkdtempSync(join(below, "parley-scratch-"));
      // PostgreSQL runs as another user if this is root.
      chmodSync(dataDir, 0o711);
      releases.push(async () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
      const scratch = await prepareDatabase({ ...settings, dataDir, databaseUrl: null, databaseDirectUrl: null }, log);
      releases.push(() => scratch.stop());
      return scratch;
    },
    onClose: (release) => void releases.push(release),
    async close() {
      for (const release of releases.splice(0).reverse()) await release();
      // A failure to open was already reported by its caller; then there is nothing to close.
      await (await service?.catch(() => null))?.close();
      await (await database?.catch(() => null))?.stop();
    },
  };
}

/** Parses a value by the rule of the API, or reports the problem in terms of the command line. */
export function readField<T>(schema: z.ZodType<T>, name: string, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new UsageError(`${name}: ${issue?.message ?? "is wrong"}.`);
}

/**
 * Every installation has an account from its first start on, so a database without one is most likely the wrong one: a
 * backup of it, or a good verdict on it, would be trusted for the right one.
 */
export async function refuseEmptyDatabase(db: Database, { databaseUrl, dataDir }: Settings): Promise<void> {
  if (await hasAnyAccount(db)) return;
  const where = databaseUrl ? "The database that DATABASE_URL names" : `The database in ${dataDir}`;
  throw new CommandFailure(
    `${where} holds no account. Is it the right one? DATABASE_URL, or else PARLEY_DATA_DIR, says which is used.`,
  );
}

/** A link holds the service's address, which a command knows for certain only from the settings: it may listen elsewhere. */
export function reportAssumedAddress({ settings, report }: CommandContext, publicUrl: string): void {
  if (settings.publicUrl !== null) return;
  report(`Assuming the service is at ${publicUrl}; set PARLEY_PUBLIC_URL or PARLEY_PORT if not.`);
}
