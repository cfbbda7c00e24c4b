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
import { CommandError, describeError, EXIT, exitCodeOf } from "./exit-codes.ts";

/** Runs one command and returns the exit code. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  const isJson = args.includes("--json");
  // What is wrong with the arguments is then said below, in the form of every other error.
  const program = buildProgram(isJson ? { ...io, usage: () => undefined } : { ...io, usage: io.err });
  try {
    await program.parseAsync([...args], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.ok;
      if (isJson) io.err(`${JSON.stringify(describeError(usageErrorOf(error)).json)}\n`);
      return EXIT.usage;
    }
    if (io.signal.aborted) return EXIT.stopped;
    const { text, json } = describeError(error);
    // What was shown says it already.
    if (text === "") return exitCodeOf(error);
    io.err(`${isJson ? JSON.stringify(json) : text}\n`);
    return exitCodeOf(error);
  }
}

function usageErrorOf({ code, message }: CommanderError): CommandError {
  const isMissing = code === "commander.help";
  return new CommandError(EXIT.usage, isMissing ? "A command is missing." : message.replace(/^error: /, ""));
}

/** The commands with their options. `usage` is told what is wrong with the arguments. */
export function buildProgram(io: CommandIo & { usage?(text: string): void }): Command {
  const program = new Command("parley")
    .description("Place and follow calls, and keep agents in files, from the command line.")
    .version(VERSION)
    .option("--json", "print JSON")
    .option("--profile <name>", "use this profile of the configuration file")
    .option("--url <url>", "the address of the service")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: io.usage ?? io.err });
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
