import type { CommandContext } from "./command-context.ts";

export interface CommandOption {
  /** What stands for its value in the help; a flag has none. */
  readonly value?: string;
  readonly help: string;
  readonly isRequired?: boolean;
}

/** What was asked for, checked against what the command takes. */
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
  /** Set when the command did its work and what it found is bad. */
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

/** A reason why a command cannot be carried out, in words for whoever gave it. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** The command was not understood. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly command: Command | null;

  constructor(message: string, command: Command | null = null) {
    super(message);
    this.command = command;
  }
}
