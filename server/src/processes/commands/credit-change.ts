import { AppError } from "@parley/contract/errors";
import { formatUsd, parseUsd, UsdInput } from "@parley/contract/money";
import { recordAudit } from "../../audit/record-audit.ts";
import { postTransfer, readBalance } from "../../credits/ledger-store.ts";
import { type Database, inTransaction } from "../../database/database.ts";
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
      await changeCredit(db, id, verb === "add" ? micros : -micros, note);
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

async function changeCredit(db: Database, accountId: string, micros: bigint, note: string): Promise<void> {
  const kind = micros > 0n ? "credit_added" : "credit_removed";
  try {
    await inTransaction(db, async (tx) => {
      await postTransfer(tx, { accountId, kind, note, availableMicros: micros, fundedMicros: -micros });
      await recordAudit(tx, {
        accountId,
        actor: "operator",
        action: micros > 0n ? "credit.added" : "credit.removed",
        target: accountId,
        data: { amount: formatUsd(micros), note },
      });
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "insufficient_credit") throw error;
    const { availableMicros, heldMicros } = await readBalance(db, accountId);
    throw new CommandFailure(
      `${formatUsd(-micros)} USD cannot be removed: ${accountId} has ${formatUsd(availableMicros)} USD to spend` +
        (heldMicros > 0n ? `, and ${formatUsd(heldMicros)} USD held for calls.` : "."),
      { cause: error },
    );
  }
}
