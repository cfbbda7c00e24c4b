import type { Command } from "commander";
import { type CommandIo, clientOf, findAccount, type GlobalOptions } from "../command-context.ts";
import { readConfig, writeConfig } from "../config.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { facts, show, table } from "../output.ts";

/** Keys are created by people, in the dashboard or by `login`; these commands are about those on this machine. */
export function addKeyCommands(program: Command, io: CommandIo): void {
  const keys = program.command("keys").description("the keys on this machine, and what they may do");
  keys
    .command("current")
    .description("show what the key that is used may do")
    .action(async (_options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const account = await findAccount(io, globals);
      const access = await clientOf(account).access.get({ signal: io.signal });
      show(io, globals, { url: account.url, key: masked(account.key), ...access }, () =>
        facts([
          ["service", account.url],
          ["key", masked(account.key)],
          ["account", access.accountId],
          ["mode", access.mode],
          ["scopes", access.scopes.join(", ")],
        ]),
      );
    });
  keys
    .command("list")
    .description("list the profiles of the configuration file")
    .action(async (_options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const { current, profiles } = await readConfig(io.env);
      const all = Object.entries(profiles).map(([name, { url, key }]) => ({
        name,
        url,
        key: masked(key),
        isCurrent: name === current,
      }));
      const rows = all.map(({ name, url, key, isCurrent }) => [isCurrent ? "*" : "", name, url, key]);
      show(io, globals, all, () => table(["", "profile", "service", "key"], rows));
    });
  keys
    .command("use")
    .description("use this profile from now on")
    .argument("<profile>")
    .action(async (name: string, _options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const config = await readConfig(io.env);
      if (!(name in config.profiles)) throw new CommandError(EXIT.signedOut, `There is no profile ${name}.`);
      await writeConfig(io.env, { ...config, current: name });
      show(io, globals, { current: name }, () => `Commands use the profile ${name} now.`);
    });
}

function masked(key: string): string {
  return `${key.slice(0, 13)}...${key.slice(-4)}`;
}
