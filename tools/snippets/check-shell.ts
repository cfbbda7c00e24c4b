import { globSync } from "node:fs";
import { SETTING_NAMES, SettingsSchema } from "@parley/server/platform/config/settings";
import { checkCurl } from "./check-curl.ts";
import { readCommands, type ShellCommand } from "./read-commands.ts";
import type { Snippet } from "./read-snippets.ts";

/** Tells what is wrong with the arguments of a program; empty if nothing is. */
type CheckArguments = (args: readonly string[]) => Promise<string>;

export interface ShellChecks {
  /** The root of the repository. */
  readonly root: string;
  /** Of `npm run parley --`, the operator's command line. */
  readonly checkOperatorCommand: CheckArguments;
  /** Of `parley`, the customer's command line. */
  readonly checkCustomerCommand: CheckArguments;
}

/** Programs whose own options are not ours to check. `npm run` is checked with the links of the documents. */
const OTHERS = new Set(
  (
    "apt-get cat cd cp docker echo export grep helm install journalctl jq kubectl mkdir node npm npx pg_basebackup play sed " +
    "sha256sum sudo systemctl tar touch useradd"
  ).split(" "),
);
/** A file of this repository, or of an installation of it. */
const OUR_FILE = /^(?:\/opt\/parley\/)?((?:bench|dashboard|deploy|e2e|examples|sdk|server|tools)\/[\w@./*-]+)$/;
/** Written by a command that the reader has run before. */
const MADE_BEFORE = /(?:^|\/)(?:dist|node_modules)(?:\/|$)/;
/** What clients read from the environment; all other variables with our prefix are settings. */
const OF_CLIENTS = new Set(["PARLEY_URL", "PARLEY_API_KEY"]);

/** Checks the commands of a shell snippet as far as the programs of this repository would refuse them. */
export async function checkShell({ text }: Snippet, checks: ShellChecks): Promise<string[]> {
  const files = new Map<string, string | null>();
  const problems: string[] = [];
  for (const command of readCommands(text)) {
    problems.push(...checkAssignments(command), ...(await checkProgram(command, files, checks)));
    if (command.output !== null) files.set(command.output, command.input);
  }
  return problems;
}

function checkAssignments({ assignments, words }: ShellCommand): string[] {
  const exported = words[0] === "export" ? words.slice(1).map((word) => word.split("=", 2)) : [];
  return [...assignments, ...exported].flatMap(([name = "", value = ""]) => {
    if (!name.startsWith("PARLEY_") || OF_CLIENTS.has(name)) return [];
    const known = SETTING_NAMES.find((each) => each === name);
    if (known === undefined) return [`there is no setting ${name}`];
    const schema: { safeParse(value: unknown): { success: boolean } } = SettingsSchema.shape[known];
    const isComplete = !/\.\.\.|\$/.test(value);
    return !isComplete || schema.safeParse(value).success ? [] : [`${name} cannot be set to ${value}`];
  });
}

async function checkProgram(
  { words }: ShellCommand,
  files: ReadonlyMap<string, string | null>,
  { root, checkOperatorCommand, checkCustomerCommand }: ShellChecks,
): Promise<string[]> {
  const [program, ...args] = words;
  switch (program) {
    case undefined:
      return [];
    case "curl":
      return checkCurl(words, files);
    case "parley":
      return (await checkCustomerCommand(args)).split("\n").filter(Boolean);
    case "npm":
      if (!/^(?:--\S+ )*run parley/.test(args.join(" "))) return checkFiles(args, root);
      return (await checkOperatorCommand(args.slice(args.indexOf("parley") + 2))).split("\n").filter(Boolean);
    default:
      return OTHERS.has(program) ? checkFiles(args, root) : [`${program} is not known to this check`];
  }
}

function checkFiles(args: readonly string[], root: string): string[] {
  return args
    .map((word) => OUR_FILE.exec(word.replace(/^(?:\.\/|--[\w-]+=)/, ""))?.[1])
    .filter((file) => file !== undefined && !MADE_BEFORE.test(file) && globSync(file, { cwd: root }).length === 0)
    .map((file) => `${file} does not exist`);
}
