import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/failures.ts";
import type { TransferKind } from "../../platform/database/schema/schema.ts";

/** A movement between the four books. It must sum to zero; the database refuses anything else. */
export interface Transfer {
  readonly accountId: string;
  readonly kind: TransferKind;
  readonly callId?: string;
  readonly note?: string;
  readonly availableMicros?: bigint;
  readonly heldMicros?: bigint;
  readonly earnedMicros?: bigint;
  readonly fundedMicros?: bigint;
}

/** Posts a transfer; the balance follows in the same statement. Throws `insufficient_credit` when it would go below zero. */
export async function postTransfer(tx: Tx, transfer: Transfer): Promise<void> {
  try {
    await run(tx, "/* post_transfer */ select post_transfer($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
      makeId("transfer"),
      transfer.accountId,
      transfer.kind,
      transfer.callId ?? null,
      transfer.note ?? "",
      transfer.availableMicros ?? 0n,
      transfer.heldMicros ?? 0n,
      transfer.earnedMicros ?? 0n,
      transfer.fundedMicros ?? 0n,
    ]);
  } catch (error) {
    if (violatedConstraint(error) !== "balance_never_negative") throw error;
    throw new AppError("insufficient_credit", "The account's credit does not cover this.", { cause: error });
  }
}

export async function openBalance(tx: Tx, accountId: string): Promise<void> {
  await tx.insertInto("account_balances").values({ account_id: accountId }).execute();
}

export async function readBalance(
  db: Database,
  accountId: string,
): Promise<{ availableMicros: bigint; heldMicros: bigint }> {
  const row = await db
    .selectFrom("account_balances")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { availableMicros: row.available_micros, heldMicros: row.held_micros };
}
