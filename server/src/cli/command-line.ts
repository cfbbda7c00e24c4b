import { AppError } from "@parley/contract/errors";
import { Command as CommanderCommand, CommanderError, Help, Option } from "commander";
import { BackupError } from "../platform/backup/backup-format.ts";
import { SettingsError } from "../platform/config/read-settings.ts";
import type { Settings } from "../platform/config/settings.ts";
import { createLog } from "../platform/telemetry/log.ts";
import { StartError } from "../start/start-error.ts";
import { accountsCreate, accountsLimits, accountsList, membersList, membersReset } from "./accounts.ts";
import { backup, restore, restoreDrill } from "./backup.ts";
import { check } from "./check.ts";
import { type Command, CommandFailure, type CommandInput, createCommandContext, UsageError } from "./command.ts";
import { creditAdd, creditRemove, creditShow } from "./credit.ts";
import { distribute, migrate } from "./database.ts";
import { doctorCapacity, doctorEngine, doctorModels, doctorTrunk } from "./doctor.ts";
import { gateChange, gateShow } from "./gate.ts";
import { keysCreate, keysList, keysRevoke } from "./keys.ts";
import { ratesEngine, ratesFill, ratesList, ratesRemove, ratesSet } from "./rates.ts";
import { routesAdd, routesList, routesRemove } from "./routes.ts";
import {
  trunksAdd,
  trunksChange,
  trunksDisable,
  trunksEnable,
  trunksList,
  trunksRemove,
  trunksShow,
} from "./trunks.ts";
import { webhooksListen } from "./webhooks.ts";

/** In the order in which the help shows them. */
export const ALL_COMMANDS: readonly Command[] = [
  accountsList,
  accountsCreate,
  accountsLimits,
  membersList,
  membersReset,
  keysList,
  keysCreate,
  keysRevoke,
  creditShow,
  creditAdd,
  creditRemove,
  gateShow,
  gateChange,
  ratesList,
  ratesSet,
  ratesRemove,
  ratesEngine,
  ratesFill,
  trunksList,
  trunksShow,
  trunksAdd,
  trunksChange,
  trunksEnable,
  trunksDisable,
  trunksRemove,
  routesList,
  routesAdd,
  routesRemove,
  webhooksListen,
  doctorTrunk,
  doctorEngine,
  doctorModels,
  doctorCapacity,
  migrate,
  check,
  backup,
  restore,
  restoreDrill,
  distribute,
];

const PROGRAM = "npm run parley --";
const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;
/** As shells report an end by Ctrl-C. */
export const EXIT_INTERRUPTED = 130;

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Reads a line that is not shown. */
  readSecret?(): Promise<string>;
  readVariable?(name: string): string | undefined;
  /** Aborted when the person at the terminal, or the system, ends the command. */
  readonly interrupted: AbortSignal;
}

/** Runs one command and returns the exit code. Everything it opened is closed again. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  readSettings: () => Settings,
): Promise<number> {
  let exitCode = EXIT_OK;
  const program = buildProgram(terminal, async (command, input, isJson) => {
    exitCode = await runCommand(command, input, isJson, terminal, readSettings());
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    return explain(error, terminal);
  }
}

async function runCommand(
  command: Command,
  input: CommandInput,
  isJson: boolean,
  terminal: Terminal,
  settings: Settings,
): Promise<number> {
  const report = (line: string) => terminal.err(`${line}\n`);
  const log = createLog("warn", { write: (line) => terminal.err(line) });
  const context = createCommandContext(settings, log, {
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
}

type Execute = (command: Command, input: CommandInput, isJson: boolean) => Promise<void>;

/** Commands of two words, such as `keys list`, are subcommands of their first; the overview shows them all. */
export function buildProgram({ out, err }: Terminal, execute: Execute): CommanderCommand {
  const program = new CommanderCommand(PROGRAM)
    .usage("COMMAND [options]")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("Add --help to see how it is used.")
    // An unknown option is quoted without its value, which may be a password given in the wrong way.
    .configureOutput({
      writeOut: out,
      writeErr: err,
      outputError: (text, write) => write(text.replace(/=[^']*'/, "'")),
    })
    .configureHelp({
      helpWidth: 120,
      visibleCommands: (shown) => shown.commands.flatMap((each) => (each.commands.length > 0 ? each.commands : each)),
      visibleOptions: (shown) => (shown.parent ? new Help().visibleOptions(shown) : []),
      subcommandTerm: (shown) => [nameOf(shown), ...shown.registeredArguments.map((each) => each.name())].join(" "),
    })
    .addHelpText(
      "after",
      "\nEvery command takes --help, and --json for output that programs can read.\n" +
        "An ACCOUNT is its id, or its name where only one account has it.",
    );
  const groups = new Map<string, CommanderCommand>();
  for (const command of ALL_COMMANDS) {
    const [first = "", second] = command.name.split(" ");
    const group = groups.get(first) ?? (second === undefined ? program : program.command(first).usage("COMMAND"));
    if (second !== undefined) groups.set(first, group);
    addCommand(group.command(second ?? first), command, execute);
  }
  return program;
}

function addCommand(added: CommanderCommand, command: Command, execute: Execute): void {
  added.description(`${command.summary}.`).summary(command.summary);
  for (const word of command.words) added.argument(`<${word}>`);
  const options = new Map<string, Option>();
  for (const [name, { value, help, isRequired }] of Object.entries(command.options)) {
    const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, help);
    if (isRequired) option.makeOptionMandatory();
    options.set(name, option);
    added.addOption(option);
  }
  added.option("--json", "Write JSON instead of text");
  added.action(async () => {
    const values = added.opts();
    const given = (name: string): unknown => values[options.get(name)?.attributeName() ?? ""];
    const input: CommandInput = {
      word(name) {
        const word = added.args[command.words.indexOf(name)];
        if (word === undefined) throw new Error(`${command.name} takes no ${name}`);
        return word;
      },
      option(name) {
        const value = given(name);
        return typeof value === "string" ? value : undefined;
      },
      has: (flag) => given(flag) === true,
    };
    try {
      await execute(command, input, values["json"] === true);
    } catch (error) {
      if (error instanceof UsageError) added.error(error.message);
      throw error;
    }
  });
}

/** The name with that of its group. */
function nameOf(command: CommanderCommand): string {
  const group = command.parent;
  return group?.parent ? `${group.name()} ${command.name()}` : command.name();
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
    // Abandoned work fails when what it uses is closed, and its result is no longer needed.
    work.catch(() => undefined);
  }
}

function explain(error: unknown, terminal: Terminal): number {
  // Commander has already written the help, or what is wrong.
  if (error instanceof CommanderError) return error.code === "commander.helpDisplayed" ? EXIT_OK : EXIT_WRONG_USAGE;
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
