import type { AlertRules, AlertRulesChanges } from "@parley/contract/alerts";
import { invalidField } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database, Tx } from "../../platform/database/database.ts";
import { lockAccount } from "../account-store.ts";
import { type AlertRulesRow, findRules, writeRules } from "./alert-store.ts";

export async function readAlertRules(db: Database, accountId: string, mode: Mode): Promise<AlertRules> {
  const row = await findRules(db, accountId, mode);
  return row ? toRules(row) : { mode, ...NOTHING_WATCHED };
}

const NOTHING_WATCHED: Omit<AlertRules, "mode"> = {
  answerRate: null,
  incidents: null,
  creditLow: false,
  quietMinutes: 60,
  emailOwners: true,
};

/** Changes the rules of an account in one mode. Returns them as they were and as they are. */
export async function changeAlertRules(
  tx: Tx,
  accountId: string,
  mode: Mode,
  changes: AlertRulesChanges,
): Promise<{ readonly before: AlertRules; readonly after: AlertRules }> {
  if (mode === "test" && changes.creditLow)
    throw invalidField("creditLow", "live_only", "creditLow can be watched in live mode only: test calls are free.");
  // Two changes at the same time are applied one after the other, also when there is no row yet.
  await lockAccount(tx, accountId);
  const before = await readAlertRules(tx, accountId, mode);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after: AlertRules = { ...before, ...given };
  await writeRules(tx, accountId, after);
  return { before, after };
}

export function toRules(row: AlertRulesRow): AlertRules {
  const { mode, answer_rate: rate, incidents } = row;
  return {
    mode,
    // PostgreSQL puts the keys of an object in its own order.
    answerRate: rate && { belowPercent: rate.belowPercent, hours: rate.hours, callsMin: rate.callsMin },
    incidents: incidents && { atLeast: incidents.atLeast, hours: incidents.hours },
    creditLow: row.credit_low,
    quietMinutes: row.quiet_minutes,
    emailOwners: row.email_owners,
  };
}
