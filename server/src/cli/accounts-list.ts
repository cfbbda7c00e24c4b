import { toOperatorAccount } from "../accounts/operator-accounts.ts";
import { listAccountRows, type OperatorAccountRow } from "../accounts/operator-store.ts";
import type { Command } from "./command.ts";
import { formatTable } from "./format-table.ts";
import { readPages } from "./read-pages.ts";

export const accountsList: Command = {
  name: "accounts list",
  summary: "Show every account, newest first",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openGround();
    const rows = await readPages<OperatorAccountRow>((rowsMax, last) => listAccountRows(db, rowsMax, last?.id ?? null));
    const accounts = rows.map(toOperatorAccount);
    const table = accounts.map((account) => [
      account.id,
      account.name,
      account.balance,
      String(account.concurrencyMax),
      String(account.callsPerSecond),
      String(account.queuedMax),
      account.createdAt,
    ]);
    return {
      json: accounts,
      text: formatTable(["id", "name", "balance", "at once", "per second", "queued max", "created"], table),
    };
  },
};
