import type { OperatorAccount } from "@parley/contract/accounts";
import { AppError } from "@parley/contract/errors";
import { formatUsd, parseUsd } from "@parley/contract/money";
import { type Database, inTransaction, type Tx } from "../platform/database/database.ts";
import type { Answer } from "../platform/http/handler.ts";
import { lockAccount } from "./account-store.ts";
import { type AuditNote, recordAudit } from "./audit/record-audit.ts";
import { changeCredit, explainTooLittle } from "./credits/change-credit.ts";
import { type LaneChanges, type OperatorAccountRow, readAccountRow, updateLanes } from "./operator-store.ts";

/** Changes an account's limits for concurrent calls, calls per second and queued calls. Recorded in its audit log. */
export async function changeOperatorAccount(
  db: Database,
  accountId: string,
  changes: LaneChanges,
  by: Pick<AuditNote, "actor" | "ip" | "client">,
): Promise<OperatorAccount> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const before = await readAccountRow(tx, accountId);
    if (!before) throw new AppError("not_found", "There is no such account.");
    await updateLanes(tx, accountId, changes);
    const after = await readAccountRow(tx, accountId);
    if (!after) throw new Error("the account that was just changed is not there");
    await recordAudit(tx, {
      accountId,
      ...by,
      action: "limits.changed",
      target: accountId,
      data: { from: limitsOf(before), to: limitsOf(after) },
    });
    return toOperatorAccount(after);
  });
}

/** Adds or removes credit, once for each Idempotency-Key. */
export async function changeAccountCredit(
  db: Database,
  once: (effect: (tx: Tx) => Promise<{ data: OperatorAccount }>) => Promise<Answer<OperatorAccount>>,
  accountId: string,
  { change, amount, note }: { readonly change: "add" | "remove"; readonly amount: string; readonly note: string },
  by: Pick<AuditNote, "actor" | "ip" | "client">,
): Promise<Answer<OperatorAccount>> {
  const micros = change === "add" ? parseUsd(amount) : -parseUsd(amount);
  const input = { accountId, micros, note };
  try {
    return await once(async (tx) => {
      if (!(await readAccountRow(tx, accountId))) throw new AppError("not_found", "There is no such account.");
      await changeCredit(tx, input, by);
      const after = await readAccountRow(tx, accountId);
      if (!after) throw new Error("the account that was just changed is not there");
      return { data: toOperatorAccount(after) };
    });
  } catch (error) {
    throw await explainTooLittle(db, input, error);
  }
}

export function toOperatorAccount(row: OperatorAccountRow): OperatorAccount {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    balance: formatUsd(row.available_micros),
    ...limitsOf(row),
  };
}

function limitsOf(row: OperatorAccountRow): {
  concurrencyMax: number;
  callsPerSecond: number;
  queuedMax: number;
} {
  return {
    concurrencyMax: row.concurrency_max,
    callsPerSecond: row.calls_per_second,
    queuedMax: row.queued_max,
  };
}
