import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { recordCallEvent } from "../event-store.ts";
import type { RetainedPart } from "./retained-parts.ts";
import { lockDueCalls, markErased, type RetentionRule, readRetentionRules } from "./retention-store.ts";

export interface ExpireDeps {
  readonly db: Database;
  readonly parts: readonly RetainedPart[];
  readonly nowMs: () => number;
}

/** Small, so that a call being erased is not locked for long. */
const BATCH = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Erases what accounts keep for a limited number of days, once these have passed. Returns how many parts were erased.
 */
export async function expireRetained(deps: ExpireDeps): Promise<number> {
  let erased = 0;
  for (const part of deps.parts) {
    for (const rule of await readRetentionRules(deps.db, part.name)) {
      for (let count = BATCH; count === BATCH; erased += count) count = await expireBatch(deps, part, rule);
    }
  }
  return erased;
}

/** Each batch is erased, marked and recorded in the audit log together or not at all. */
export function expireBatch(
  { db, nowMs }: Pick<ExpireDeps, "db" | "nowMs">,
  part: RetainedPart,
  rule: RetentionRule,
): Promise<number> {
  const { account_id: accountId, days } = rule;
  const reason = `It was kept for ${days} ${days === 1 ? "day" : "days"}, as the account's settings say.`;
  return inTransaction(db, async (tx) => {
    const calls = await lockDueCalls(tx, part.name, accountId, new Date(nowMs() - days * DAY_MS), BATCH);
    for (const call of calls) {
      await part.erase(tx, call, reason);
      const row = await markErased(tx, part.name, call.id);
      await recordCallEvent(tx, row, "call.data_erased", { parts: [part.name], by: "retention" });
    }
    if (calls.length > 0) {
      await recordAudit(tx, {
        accountId,
        actor: "service",
        action: `${part.name}.expired`,
        target: accountId,
        data: { days, callIds: calls.map(({ id }) => id) },
      });
    }
    return calls.length;
  });
}
