import { SIGN_UP_CREDIT_MICROS } from "@parley/contract/credits";
import { AppError, invalidField } from "@parley/contract/errors";
import { BALANCE_MAX_MICROS, formatUsd } from "@parley/contract/money";
import type { Tx } from "../../platform/database/database.ts";
import { type AuditNote, recordAudit } from "../audit/record-audit.ts";
import { openBalance, postTransfer, readBalance } from "./ledger-store.ts";

export interface CreditChange {
  readonly accountId: string;
  /** A negative amount removes credit, at most what the account may spend. */
  readonly micros: bigint;
  /** The reason shown in the account's ledger. */
  readonly note: string;
}

/** Adds or removes credit of an account. Its audit log records who did it. */
export async function changeCredit(
  tx: Tx,
  { accountId, micros, note }: CreditChange,
  by: Pick<AuditNote, "actor" | "ip" | "client">,
): Promise<void> {
  const isAdded = micros > 0n;
  if (isAdded) await refuseTooMuch(tx, accountId, micros);
  const kind = isAdded ? "credit_added" : "credit_removed";
  await postTransfer(tx, { accountId, kind, note, availableMicros: micros, fundedMicros: -micros });
  await recordAudit(tx, {
    accountId,
    ...by,
    action: isAdded ? "credit.added" : "credit.removed",
    target: accountId,
    data: { amount: formatUsd(micros), note },
  });
}

/** Sums must fit the database, and an absurd amount is a typing error. */
async function refuseTooMuch(tx: Tx, accountId: string, micros: bigint): Promise<void> {
  const { availableMicros, heldMicros } = await readBalance(tx, accountId);
  if (availableMicros + heldMicros + micros <= BALANCE_MAX_MICROS) return;
  throw invalidField(
    "amount",
    "too_big",
    `amount must leave the balance at or below ${formatUsd(BALANCE_MAX_MICROS)} USD; it is ${formatUsd(availableMicros)} USD now.`,
  );
}

/** Adds the amounts to the error if the credit does not suffice; returns any other error unchanged. */
export async function explainTooLittle(
  db: Parameters<typeof readBalance>[0],
  { accountId, micros }: CreditChange,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== "insufficient_credit") return error;
  const { availableMicros, heldMicros } = await readBalance(db, accountId);
  const held = heldMicros > 0n ? `, and ${formatUsd(heldMicros)} USD held for calls.` : ".";
  return new AppError(
    "insufficient_credit",
    `${formatUsd(-micros)} USD cannot be removed: ${accountId} has ${formatUsd(availableMicros)} USD to spend${held}`,
    { cause: error },
  );
}

/** Opens a new account's balance with its free credit. The database refuses to give it twice. */
export async function openCredit(tx: Tx, accountId: string): Promise<void> {
  await openBalance(tx, accountId);
  await postTransfer(tx, {
    accountId,
    kind: "sign_up_credit",
    note: "Free credit for a new account",
    availableMicros: SIGN_UP_CREDIT_MICROS,
    fundedMicros: -SIGN_UP_CREDIT_MICROS,
  });
}
