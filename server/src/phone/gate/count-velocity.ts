import type { GateRefusal } from "@parley/contract/gate";
import type { Database, Tx } from "../../platform/database/database.ts";
import { VELOCITY_KINDS, type VelocityFact, type VelocityKind } from "./decide.ts";
import type { GateRulesRow } from "./gate-rules-store.ts";
import { countIn, deleteOldCounts, readCounts, type VelocityWindow } from "./velocity-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// Fraud dials up and down whole ranges, which are allotted to carriers by the thousand.
const RANGE_DIGITS = 3;

/** The windows a call to a number counts in: its day (UTC) for the number, its hour for the range and the country. */
export function windowsOf(
  phoneNumber: string,
  country: string | null,
  atMs: number,
): Record<VelocityKind, VelocityWindow> {
  const day = new Date(Math.floor(atMs / DAY_MS) * DAY_MS);
  const hour = new Date(Math.floor(atMs / HOUR_MS) * HOUR_MS);
  return {
    number: { kind: "number", subject: phoneNumber, start: day },
    range: { kind: "range", subject: phoneNumber.slice(0, -RANGE_DIGITS), start: hour },
    country: { kind: "country", subject: country ?? "", start: hour },
  };
}

function velocityMaxima(rules: GateRulesRow): Readonly<Record<VelocityKind, number | null>> {
  return {
    number: rules.calls_per_number_and_day,
    range: rules.calls_per_range_and_hour,
    country: rules.calls_per_country_and_hour,
  };
}

/** How often the number, its range and its country were called. Others may be counting concurrently. */
export async function readVelocity(
  db: Database,
  accountId: string,
  windows: Readonly<Record<VelocityKind, VelocityWindow>>,
  rules: GateRulesRow,
): Promise<Record<VelocityKind, VelocityFact>> {
  const counts = await readCounts(
    db,
    accountId,
    VELOCITY_KINDS.map((kind) => windows[kind]),
  );
  const maxima = velocityMaxima(rules);
  const factOf = (kind: VelocityKind) => ({ calls: counts[VELOCITY_KINDS.indexOf(kind)] ?? 0, callsMax: maxima[kind] });
  return { number: factOf("number"), range: factOf("range"), country: factOf("country") };
}

/**
 * Counts a call, exactly: of concurrent calls each sees the earlier ones. Returns why it is one
 * too many, and then the transaction must be rolled back; or null. All count in the same order, so none deadlock.
 */
export async function countVelocity(
  tx: Tx,
  accountId: string,
  windows: Readonly<Record<VelocityKind, VelocityWindow>>,
  rules: GateRulesRow,
): Promise<GateRefusal | null> {
  const maxima = velocityMaxima(rules);
  for (const kind of VELOCITY_KINDS) {
    const calls = await countIn(tx, accountId, windows[kind]);
    const callsMax = maxima[kind];
    if (callsMax !== null && calls > callsMax) return `${kind}_velocity`;
  }
  return null;
}

/** Windows that are over for a day say nothing any more. */
export function forgetVelocity(db: Database, nowMs: number): Promise<number> {
  return deleteOldCounts(db, new Date(nowMs - 2 * DAY_MS));
}
