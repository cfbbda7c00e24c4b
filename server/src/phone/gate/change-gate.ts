import { AppError } from "@parley/contract/errors";
import type { GateRules, GateRulesChanges } from "@parley/contract/gate";
import { formatUsd, parseUsd } from "@parley/contract/money";
import { type AuditNote, recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import type { Log } from "../../platform/telemetry/log.ts";
import {
  accountExists,
  type GateRulesRow,
  hoursOf,
  NO_RULES,
  putGateRules,
  readCountriesAbove,
  readGateRules,
} from "./gate-rules-store.ts";

/** The rules of an account's own, or with null those of the installation. */
export async function readGate(db: Database, accountId: string | null): Promise<GateRules> {
  await refuseUnknownAccount(db, accountId);
  return describeRules(db, (await readGateRules(db, accountId)) ?? NO_RULES);
}

/** Changes them; calls accepted before are judged by the new rules before they are dialed. */
export function changeGate(
  db: Database,
  accountId: string | null,
  changes: GateRulesChanges,
  by: Pick<AuditNote, "accountId" | "actor" | "ip" | "client">,
): Promise<GateRules> {
  return inTransaction(db, async (tx) => {
    await refuseUnknownAccount(tx, accountId);
    const before = (await readGateRules(tx, accountId)) ?? NO_RULES;
    const after = apply(before, changes);
    await putGateRules(tx, accountId, after);
    const data = { from: toGateRules(before), to: toGateRules(after) };
    await recordAudit(tx, { ...by, action: "gate.changed", target: accountId ?? "installation", data });
    return describeRules(tx, after);
  });
}

async function refuseUnknownAccount(db: Database | Tx, accountId: string | null): Promise<void> {
  if (accountId !== null && !(await accountExists(db, accountId)))
    throw new AppError("not_found", "There is no such account.");
}

function apply(before: GateRulesRow, changes: GateRulesChanges): GateRulesRow {
  const kept = <T>(change: T | undefined, old: T): T => (change === undefined ? old : change);
  const { ratePerMinuteMax, callingHours } = changes;
  return {
    countries: kept<readonly string[] | null>(changes.countries, before.countries),
    rate_max_micros:
      ratePerMinuteMax === undefined || ratePerMinuteMax === null
        ? kept(ratePerMinuteMax, before.rate_max_micros)
        : parseUsd(ratePerMinuteMax),
    calls_per_number_and_day: kept(changes.callsPerNumberAndDay, before.calls_per_number_and_day),
    calls_per_range_and_hour: kept(changes.callsPerRangeAndHour, before.calls_per_range_and_hour),
    calls_per_country_and_hour: kept(changes.callsPerCountryAndHour, before.calls_per_country_and_hour),
    hours_start: callingHours === undefined ? before.hours_start : (callingHours?.start ?? null),
    hours_end: callingHours === undefined ? before.hours_end : (callingHours?.end ?? null),
    may_ignore_hours: kept(changes.mayIgnoreCallingHours, before.may_ignore_hours),
  };
}

async function describeRules(db: Database, row: GateRulesRow): Promise<GateRules> {
  return { ...toGateRules(row), shutOutByCap: await findShutOut(db, row.rate_max_micros) };
}

/** The countries that a price cap shuts out, wholly and in part. */
async function findShutOut(db: Database, capMicros: bigint | null): Promise<GateRules["shutOutByCap"]> {
  const above = capMicros === null ? [] : await readCountriesAbove(db, capMicros);
  const named = (isWholly: boolean) => above.filter(({ wholly }) => wholly === isWholly).map(({ country }) => country);
  return { countries: named(true), partly: named(false) };
}

/** For the log of a start: reminds the operator of the destinations that a cap blocks. */
export async function warnOfPriceCap(db: Database, log: Pick<Log, "warn">): Promise<void> {
  const { rate_max_micros: capMicros } = (await readGateRules(db, null)) ?? NO_RULES;
  const { countries, partly } = await findShutOut(db, capMicros);
  if (capMicros === null || countries.length + partly.length === 0) return;
  const ratePerMinuteMax = formatUsd(capMicros);
  log.warn({ ratePerMinuteMax, countries, partly }, "price cap of the gate excludes countries");
}

function toGateRules(row: GateRulesRow): Omit<GateRules, "shutOutByCap"> {
  return {
    countries: row.countries === null ? null : [...row.countries],
    ratePerMinuteMax: row.rate_max_micros === null ? null : formatUsd(row.rate_max_micros),
    callsPerNumberAndDay: row.calls_per_number_and_day,
    callsPerRangeAndHour: row.calls_per_range_and_hour,
    callsPerCountryAndHour: row.calls_per_country_and_hour,
    callingHours: hoursOf(row.hours_start, row.hours_end),
    mayIgnoreCallingHours: row.may_ignore_hours,
  };
}
