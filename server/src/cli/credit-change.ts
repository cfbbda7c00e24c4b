import { AppError } from "@parley/contract/errors";
import { formatUsd, parseUsd, UsdInput } from "@parley/contract/money";
import { type CreditChange, changeCredit, explainTooLittle } from "../accounts/credits/change-credit.ts";
import { readBalance } from "../accounts/credits/ledger-store.ts";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { type Command, CommandFailure, UsageError } from "./command.ts";
import { findAccount } from "./find-account.ts";
import { readField } from "./read-field.ts";

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
      const { db } = await context.openGround();
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

async function change(db: Database, wish: CreditChange): Promise<void> {
  try {
    await inTransaction(db, (tx) => changeCredit(tx, wish, { actor: "operator" }));
  } catch (error) {
    const explained = await explainTooLittle(db, wish, error);
    if (!(explained instanceof AppError)) throw error;
    throw new CommandFailure(explained.message, { cause: error });
  }
}
