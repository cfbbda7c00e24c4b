import type { EngineRate, ImportedRates, RouteRate } from "@parley/contract/credits";
import { AppError } from "@parley/contract/errors";
import { formatUsd, parseUsd } from "@parley/contract/money";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { type AuditNote, recordAudit } from "../audit/record-audit.ts";
import { planRates } from "./plan-rates.ts";
import { addMissingRates, deleteRouteRate, putEngineRate, putRouteRate, putRouteRates } from "./rate-store.ts";

/** The author of a rate change. Rates belong to the installation, so the entry is in the audit log of the author's account, if any. */
export type RateChanger = Pick<AuditNote, "accountId" | "actor" | "ip" | "client">;

export interface RateInput {
  readonly prefix: string;
  /** In USD. */
  readonly perMinute: string;
  readonly description: string;
}

/** Sets what calls to a prefix cost. Calls that were accepted before keep their price. */
export function setRouteRate(db: Database, input: RateInput, by: RateChanger): Promise<RouteRate> {
  const { prefix, description } = input;
  const micros = parseUsd(input.perMinute);
  return inTransaction(db, async (tx) => {
    const before = await putRouteRate(tx, { prefix, per_minute_micros: micros, description });
    const from = before === null ? null : formatUsd(before);
    const perMinute = formatUsd(micros);
    await recordAudit(tx, { ...by, action: "rate.changed", target: prefix, data: { from, to: perMinute } });
    return { prefix, perMinute, description };
  });
}

/** Sets many rates, all of them or none. Rates of other prefixes are unchanged. */
export function importRates(db: Database, wishes: readonly RateInput[], by: RateChanger): Promise<ImportedRates> {
  const rates = wishes.map(({ prefix, perMinute, description }) => ({
    prefix,
    per_minute_micros: parseUsd(perMinute),
    description,
  }));
  return inTransaction(db, async (tx) => {
    const written = await putRouteRates(tx, rates);
    const added = written.filter(({ is_new }) => is_new).length;
    const changed = written.length - added;
    if (written.length > 0) await recordAudit(tx, { ...by, action: "rate.imported", data: { added, changed } });
    return { added, changed, unchanged: rates.length - written.length };
  });
}

export function removeRouteRate(db: Database, prefix: string, by: RateChanger): Promise<void> {
  return inTransaction(db, async (tx) => {
    const before = await deleteRouteRate(tx, prefix);
    if (before === null) throw new AppError("not_found", "There is no rate for exactly this prefix.");
    await recordAudit(tx, { ...by, action: "rate.removed", target: prefix, data: { from: formatUsd(before) } });
  });
}

export function setEngineRate(
  db: Database,
  engine: string,
  perMinuteUsd: string,
  by: RateChanger,
): Promise<EngineRate> {
  const micros = parseUsd(perMinuteUsd);
  return inTransaction(db, async (tx) => {
    await putEngineRate(tx, engine, micros);
    const perMinute = formatUsd(micros);
    await recordAudit(tx, { ...by, action: "rate.changed", target: engine, data: { to: perMinute } });
    return { engine, perMinute };
  });
}

/** Adds the rates of a newer numbering plan, and keeps the existing ones. Returns how many were added. */
export function fillRates(db: Database, by: RateChanger): Promise<number> {
  const rates = planRates().map(({ perMinuteMicros, ...rate }) => ({ ...rate, per_minute_micros: perMinuteMicros }));
  return inTransaction(db, async (tx) => {
    const added = await addMissingRates(tx, rates);
    if (added > 0) await recordAudit(tx, { ...by, action: "rate.filled", data: { added } });
    return added;
  });
}
