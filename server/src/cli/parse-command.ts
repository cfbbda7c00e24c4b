import { parseArgs } from "node:util";
import { type Command, type CommandInput, UsageError } from "./command.ts";

export type Parsed =
  | { readonly kind: "help"; readonly commands: readonly Command[] }
  | { readonly kind: "run"; readonly command: Command; readonly input: CommandInput; readonly isJson: boolean };

/** Understands a command line, or throws a UsageError. Help is for one command, or for all that begin so. */
export function parseCommand(commands: readonly Command[], argv: readonly string[]): Parsed {
  const command = findCommand(commands, argv);
  const wantsHelp = argv.some((word) => word === "--help" || word === "-h");
  if (!command) {
    const words = argv.filter((word) => !word.startsWith("-"));
    const group = words.length === 0 ? commands : commands.filter(({ name }) => name.startsWith(`${words[0]} `));
    if (argv.length === 0 || (wantsHelp && group.length > 0)) return { kind: "help", commands: group };
    throw unknownCommand(argv, group);
  }
  if (wantsHelp) return { kind: "help", commands: [command] };
  const { values, positionals } = parseOptions(command, argv.slice(command.name.split(" ").length));
  return { kind: "run", command, isJson: values["json"] === true, input: readInput(command, values, positionals) };
}

function findCommand(commands: readonly Command[], argv: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name === argv.slice(0, name.split(" ").length).join(" "));
}

function unknownCommand(argv: readonly string[], group: readonly Command[]): UsageError {
  if (argv[0]?.startsWith("-")) return new UsageError(`The command comes first, before ${argv[0]}.`);
  if (group.length === 0) return new UsageError(`There is no command "${argv[0]}".`);
  const names = group.map(({ name }) => name).join(", ");
  return new UsageError(`There is no command "${argv.slice(0, 2).join(" ")}". Those of that kind: ${names}.`);
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function parseOptions(command: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const parsed = parseArgs({
      args: [...args],
      options: { ...options, json: { type: "boolean" } },
      allowPositionals: true,
      strict: true,
    });
    return { values: parsed.values, positionals: parsed.positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // What follows the first sentence is advice for programs that take words beginning with a dash.
    throw new UsageError(`${error.message.split(/\.\s/)[0]?.replace(/\.$/, "")}.`, command);
  }
}

function readInput(command: Command, values: Values, positionals: readonly string[]): CommandInput {
  const missing = command.words[positionals.length];
  if (missing) throw new UsageError(`${missing} is missing.`, command);
  const extra = positionals[command.words.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`, command);
  for (const [name, option] of Object.entries(command.options)) {
    if (option.isRequired && values[name] === undefined) throw new UsageError(`--${name} is missing.`, command);
  }
  return {
    word(name) {
      const word = positionals[command.words.indexOf(name)];
      if (word === undefined) throw new Error(`${command.name} takes no ${name}`);
      return word;
    },
    option(name) {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
    has: (flag) => values[flag] === true,
  };
}
