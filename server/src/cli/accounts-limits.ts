import { OperatorAccountChanges } from "@parley/contract/accounts";
import { changeOperatorAccount, toOperatorAccount } from "../accounts/operator-accounts.ts";
import type { LaneChanges } from "../accounts/operator-store.ts";
import { type Command, type CommandInput, UsageError } from "./command.ts";
import { findAccount } from "./find-account.ts";
import { formatTable } from "./format-table.ts";

const FIELDS = {
  concurrency: "concurrencyMax",
  "calls-per-second": "callsPerSecond",
  queued: "queuedMax",
} as const;

export const accountsLimits: Command = {
  name: "accounts limits",
  summary: "Show the limits of an account, or change them",
  words: ["ACCOUNT"],
  options: {
    concurrency: { value: "N", help: "Most calls at once, in each mode" },
    "calls-per-second": { value: "X", help: "Calls sent per second, in each mode" },
    queued: { value: "N", help: "Most calls waiting, in each mode" },
  },
  async run(input, context) {
    const changes = readChanges(input);
    const { db } = await context.openGround();
    const row = await findAccount(db, input.word("ACCOUNT"));
    const account = changes
      ? await changeOperatorAccount(db, row.id, changes, { actor: "operator" })
      : toOperatorAccount(row);
    const { id, name, concurrencyMax, callsPerSecond, queuedMax } = account;
    return {
      json: { id, name, concurrencyMax, callsPerSecond, queuedMax },
      text: formatTable(
        ["account", "name", "at once", "per second", "queued max"],
        [[id, name, String(concurrencyMax), String(callsPerSecond), String(queuedMax)]],
      ),
    };
  },
};

function readChanges(input: CommandInput): LaneChanges | null {
  const given = Object.entries(FIELDS).flatMap(([option, field]) => {
    const text = input.option(option);
    if (text === undefined) return [];
    if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${option} must be a number, not "${text}".`);
    return [[field, Number(text)] as const];
  });
  if (given.length === 0) return null;
  const result = OperatorAccountChanges.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const option = Object.entries(FIELDS).find(([, field]) => field === issue?.path[0])?.[0];
  throw new UsageError(`--${option}: ${issue?.message}.`);
}
