import { AppError } from "@parley/contract/errors";
import { BackupError } from "../platform/backup/backup-format.ts";
import { SettingsError } from "../platform/config/read-settings.ts";
import type { Settings } from "../platform/config/settings.ts";
import { createLog } from "../platform/telemetry/log.ts";
import { StartError } from "../start/start-error.ts";
import { ALL_COMMANDS } from "./all-commands.ts";
import { type Command, CommandFailure, UsageError } from "./command.ts";
import { createCommandContext } from "./command-context.ts";
import { helpText, usageLine } from "./help-text.ts";
import { parseCommand } from "./parse-command.ts";

export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
export const EXIT_WRONG_USAGE = 2;
/** As shells count an end by Ctrl-C. */
export const EXIT_INTERRUPTED = 130;

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Reads a line that is not shown. */
  readSecret?(): Promise<string>;
  readVariable?(name: string): string | undefined;
  /** Set off when the person at the terminal, or the system, wants it to end. */
  readonly interrupted: AbortSignal;
}

/** Carries out one command and returns the exit code. Everything it opened is closed again. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  readSettings: () => Settings,
): Promise<number> {
  let running: Command | null = null;
  try {
    const parsed = parseCommand(ALL_COMMANDS, argv);
    if (parsed.kind === "help") {
      terminal.out(`${helpText(parsed.commands)}\n`);
      return EXIT_OK;
    }
    const { command, input, isJson } = parsed;
    running = command;
    const report = (line: string) => terminal.err(`${line}\n`);
    const log = createLog("warn", { write: (line) => terminal.err(line) });
    const context = createCommandContext(readSettings(), log, {
      report,
      print: (line) => terminal.out(`${line}\n`),
      readSecret: async () => (await terminal.readSecret?.()) ?? "",
      readVariable: (name) => terminal.readVariable?.(name),
    });
    try {
      const result = await untilInterrupted(command.run(input, context), terminal.interrupted);
      terminal.out(`${isJson ? JSON.stringify(result.json, null, 2) : result.text}\n`);
      if (!isJson) for (const note of result.notes ?? []) report(note);
      return result.isFailure ? EXIT_FAILED : EXIT_OK;
    } finally {
      await context.close();
    }
  } catch (error) {
    return explain(error, running, terminal);
  }
}

class Interrupted extends Error {}

async function untilInterrupted<T>(work: Promise<T>, interrupted: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Interrupted());
  interrupted.addEventListener("abort", stop, { once: true });
  if (interrupted.aborted) stop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    interrupted.removeEventListener("abort", stop);
    // Work that was given up fails when what it stands on is closed; nobody waits for it any more.
    work.catch(() => undefined);
  }
}

function explain(error: unknown, running: Command | null, terminal: Terminal): number {
  if (error instanceof UsageError) {
    const command = error.command ?? running;
    const hint = command ? usageLine(command) : "`npm run parley` shows every command.";
    terminal.err(`${error.message}\n${hint}\n`);
    return EXIT_WRONG_USAGE;
  }
  if (error instanceof Interrupted) {
    terminal.err("Interrupted.\n");
    return EXIT_INTERRUPTED;
  }
  terminal.err(
    `${isForPeople(error) || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message)}\n`,
  );
  return EXIT_FAILED;
}

function isForPeople(error: unknown): boolean {
  const kinds = [CommandFailure, AppError, BackupError, SettingsError, StartError];
  if (kinds.some((kind) => error instanceof kind)) return true;
  // The system's own refusals (no such folder, no space, not allowed) name the file and say enough.
  return error instanceof Error && "syscall" in error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
