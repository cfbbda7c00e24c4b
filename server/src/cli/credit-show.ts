import { formatUsd } from "@parley/contract/money";
import { listLedgerRows } from "../accounts/credits/ledger-reader-store.ts";
import { readBalance } from "../accounts/credits/ledger-store.ts";
import type { Command } from "./command.ts";
import { findAccount } from "./find-account.ts";
import { formatTable } from "./format-table.ts";

const SHOWN_MAX = 10;

export const creditShow: Command = {
  name: "credit show",
  summary: "Show the credit of an account and its last entries in the ledger",
  words: ["ACCOUNT"],
  options: {},
  async run(input, context) {
    const { db } = await context.openGround();
    const { id, name } = await findAccount(db, input.word("ACCOUNT"));
    const { availableMicros, heldMicros } = await readBalance(db, id);
    const rows = await listLedgerRows(db, id, null, SHOWN_MAX);
    const entries = rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      createdAt: row.created_at.toISOString(),
      callId: row.call_id,
      phoneNumber: row.phone_number,
      note: row.note,
      amount: formatUsd(row.amount_micros),
    }));
    const balance = formatUsd(availableMicros);
    const held = formatUsd(heldMicros);
    const table = entries.map((each) => [each.createdAt, each.kind, each.amount, each.phoneNumber ?? each.note]);
    return {
      json: { id, name, balance, held, currency: "USD", entries },
      text: [
        `${balance} USD to spend, ${held} USD held for calls`,
        "",
        formatTable(["time", "kind", "amount", "for"], table),
      ].join("\n"),
    };
  },
};
