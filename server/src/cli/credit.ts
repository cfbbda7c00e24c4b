import { AppError } from "@parley/contract/errors";
import { formatUsd, parseUsd, UsdInput } from "@parley/contract/money";
import { type CreditChange, changeCredit, explainTooLittle } from "../accounts/credits/change-credit.ts";
import { listLedgerRows } from "../accounts/credits/ledger-reader-store.ts";
import { readBalance } from "../accounts/credits/ledger-store.ts";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { findAccount } from "./account-lookup.ts";
import { type Command, CommandFailure, readField, UsageError } from "./command.ts";
import { formatTable } from "./table.ts";

const SHOWN_MAX = 10;

export const creditShow: Command = {
  name: "credit show",
  summary: "Show the credit of an account and its last entries in the ledger",
  words: ["ACCOUNT"],
  options: {},
  async run(input, context) {
    const { db } = await context.openService();
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

const NOTE_CHARS_MAX = 200;

export const creditAdd: Command = creditChange("add", "Give an account credit, in USD");
export const creditRemove: Command = creditChange("remove", "Take credit from an account, at most what it may spend");

function creditChange(verb: "add" | "remove", summary: string): Command {
  return {
    name: `credit ${verb}`,
    summary,
    words: ["ACCOUNT", "AMOUNT"],
    options: { note: { value: "TEXT", help: "Why, as the account's ledger shows it" } },
    async run(input, context) {
      const micros = parseUsd(readField(UsdInput, "AMOUNT", input.word("AMOUNT")));
      if (micros === 0n) throw new UsageError("AMOUNT must be more than nothing.");
      const note = input.option("note") ?? "";
      if (note.length > NOTE_CHARS_MAX) throw new UsageError(`--note has more than ${NOTE_CHARS_MAX} characters.`);
      const { db } = await context.openService();
      const { id } = await findAccount(db, input.word("ACCOUNT"));
      await change(db, { accountId: id, micros: verb === "add" ? micros : -micros, note });
      const { availableMicros, heldMicros } = await readBalance(db, id);
      const balance = formatUsd(availableMicros);
      const held = formatUsd(heldMicros);
      return {
        json: { id, change: formatUsd(verb === "add" ? micros : -micros), balance, held, currency: "USD" },
        text: `${id} now has ${balance} USD to spend, and ${held} USD held for calls.`,
      };
    },
  };
}

async function change(db: Database, requested: CreditChange): Promise<void> {
  try {
    await inTransaction(db, (tx) => changeCredit(tx, requested, { actor: "operator" }));
  } catch (error) {
    const explained = await explainTooLittle(db, requested, error);
    if (!(explained instanceof AppError)) throw error;
    throw new CommandFailure(explained.message, { cause: error });
  }
}
