import type { Settings } from "../platform/config/settings.ts";
import type { Log } from "../platform/telemetry/log.ts";
import { type Ground, layGround } from "../start/ground.ts";
import { type LaidDatabase, layDatabase, refuseMissingDatabase } from "../start/lay-database.ts";

/** What a command stands on. Nothing is opened before it is asked for. */
export interface CommandContext {
  readonly settings: Settings;
  /** Refuses a data folder that holds no database. */
  openGround(): Promise<Ground>;
  /** Only the database, without connections to it and without a secret. Made if there is none. */
  openDatabase(): Promise<LaidDatabase>;
  /** Tells the person at the terminal how far it is. */
  report(line: string): void;
  /** A line on standard output, for commands that have something to say before they end. */
  print(line: string): void;
  /** A line that nobody else may see: typed, or from standard input. */
  readSecret(): Promise<string>;
  /** A variable of the environment by its name. */
  readVariable(name: string): string | undefined;
  /** Has something done before everything else is closed, also when the command was interrupted. */
  onClose(release: () => Promise<void>): void;
  close(): Promise<void>;
}

/** What a command is given from the terminal it runs at. */
export type CommandTerminal = Pick<CommandContext, "report" | "print" | "readSecret" | "readVariable">;

export function createCommandContext(settings: Settings, log: Log, terminal: CommandTerminal): CommandContext {
  let ground: Promise<Ground> | null = null;
  let database: Promise<LaidDatabase> | null = null;
  const releases: (() => Promise<void>)[] = [];
  return {
    settings,
    ...terminal,
    async openGround() {
      if (!ground) refuseMissingDatabase(settings);
      ground ??= layGround(settings, log);
      return ground;
    },
    openDatabase() {
      database ??= layDatabase(settings, log);
      return database;
    },
    onClose: (release) => void releases.push(release),
    async close() {
      for (const release of releases.splice(0).reverse()) await release();
      // Whoever opened it has been told if that failed; then there is nothing to close.
      await (await ground?.catch(() => null))?.close();
      await (await database?.catch(() => null))?.stop();
    },
  };
}
