import type { GetUsageQuery } from "@parley/sdk";
import type { Command } from "commander";
import { type CommandIo, type GlobalOptions, openClient } from "../command-context.ts";
import { facts, show } from "../output.ts";

export function addUsageCommand(program: Command, io: CommandIo): void {
  program
    .command("usage")
    .description("balance, and calls, minutes and cost over a period")
    .option("--from <day>", "the beginning, such as 2026-03-01T00:00:00Z")
    .option("--to <day>", "the end")
    .action(async (options: { from?: string; to?: string }, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      const { signal } = io;
      const query = { ...(options.from ? { from: options.from } : {}), ...(options.to ? { to: options.to } : {}) };
      const [account, usage] = await Promise.all([
        parley.account.get({ signal }),
        parley.usage.get(query as GetUsageQuery, { signal }),
      ]);
      show(io, globals, { account, usage }, () => describe({ balance: account.balance, ...usage.total }));
    });
}

function describe(values: object): string {
  const isShown = (value: unknown) => typeof value === "string" || typeof value === "number";
  return facts(Object.entries(values).filter(([, value]) => isShown(value)));
}
