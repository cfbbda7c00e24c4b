import { VERSION } from "@parley/sdk";
import { Command, CommanderError } from "commander";
import type { CommandIo } from "./command-context.ts";
import { addAgentCommands } from "./commands/agents.ts";
import { addCallCommands } from "./commands/calls.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addKeyCommands } from "./commands/keys.ts";
import { addLoginCommands } from "./commands/login.ts";
import { addScenarioCommands } from "./commands/scenarios.ts";
import { addUsageCommand } from "./commands/usage.ts";
import { addWebhookCommands } from "./commands/webhooks.ts";
import { describeError, EXIT, exitCodeOf } from "./exit-codes.ts";

/** Runs one command and returns the exit code. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  const program = buildProgram(io);
  try {
    await program.parseAsync([...args], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (io.signal.aborted) return EXIT.stopped;
    const { text, json } = describeError(error);
    // What was shown says it already.
    if (text === "") return exitCodeOf(error);
    if (args.includes("--json")) io.err(`${JSON.stringify(json)}\n`);
    else io.err(`${text}\n`);
    return exitCodeOf(error);
  }
}

/** The commands with their options. */
export function buildProgram(io: CommandIo): Command {
  const program = new Command("parley")
    .description("Place and follow calls, and keep agents in files, from the command line.")
    .version(VERSION)
    .option("--json", "print JSON")
    .option("--profile <name>", "use this profile of the configuration file")
    .option("--url <url>", "the address of the service")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) });
  addLoginCommands(program, io);
  addCallCommands(program, io);
  addAgentCommands(program, io);
  addScenarioCommands(program, io);
  addWebhookCommands(program, io);
  addKeyCommands(program, io);
  addUsageCommand(program, io);
  addCompletionCommand(program, io);
  throwInsteadOfExiting(program);
  return program;
}

/** Options may stand before or after the command, so every command has to be told. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  for (const each of command.commands) {
    each.configureOutput(command.configureOutput());
    throwInsteadOfExiting(each);
  }
}
