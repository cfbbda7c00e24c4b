import type { Command, CommandOption } from "./command.ts";
import { formatColumns } from "./format-table.ts";

const PROGRAM = "npm run parley --";

/** Help for one command in full, or for several in one line each. */
export function helpText(commands: readonly Command[]): string {
  const [only, ...others] = commands;
  return only && others.length === 0 ? describe(only) : overview(commands);
}

function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [[command.name, ...command.words].join(" "), command.summary]);
  return [
    `Usage: ${PROGRAM} COMMAND [options]`,
    "",
    ...formatColumns(rows).map((line) => `  ${line}`),
    "",
    "Every command takes --help, and --json for output that programs can read.",
    "An ACCOUNT is its id, or its name where only one account has it.",
  ].join("\n");
}

function describe(command: Command): string {
  const options: [string, CommandOption][] = [
    ...Object.entries(command.options),
    ["json", { help: "Write JSON instead of text" }],
    ["help", { help: "Show this" }],
  ];
  const rows = options.map(([name, option]) => [spell(name, option), option.help]);
  return [usageLine(command), "", `${command.summary}.`, "", ...formatColumns(rows).map((line) => `  ${line}`)].join(
    "\n",
  );
}

/** How a command is given, on one line. */
export function usageLine(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) =>
    option.isRequired ? spell(name, option) : `[${spell(name, option)}]`,
  );
  return `Usage: ${PROGRAM} ${[command.name, ...command.words, ...options].join(" ")}`;
}

function spell(name: string, option: CommandOption): string {
  return option.value === undefined ? `--${name}` : `--${name} ${option.value}`;
}
