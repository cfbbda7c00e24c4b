import { AppError } from "@parley/contract/errors";
import type { Database } from "../../platform/database/database.ts";
import { findRateRow } from "./rate-store.ts";

/** What a minute of a call costs, and the prefix whose rate applies. */
export interface CallRate {
  readonly prefix: string;
  readonly routePerMinuteMicros: bigint;
  readonly enginePerMinuteMicros: bigint;
}

/** Finds the price of calling a number with an engine, by the longest prefix that has a rate. */
export async function findRate(db: Database, phoneNumber: string, engine: string): Promise<CallRate> {
  const row = await findRateRow(db, prefixesOf(phoneNumber), engine);
  // The rate of "+" covers every number; only an operator who removed it leaves some without a price.
  if (!row) throw new AppError("destination_not_allowed", "There is no rate for calls to this number.");
  return { prefix: row.prefix, routePerMinuteMicros: row.route_micros, enginePerMinuteMicros: row.engine_micros };
}

/** `+`, `+1`, `+15`, ... up to the number itself, so that the lookup is by key and never a scan. */
function prefixesOf(phoneNumber: string): string[] {
  return Array.from(phoneNumber, (_, index) => phoneNumber.slice(0, index + 1));
}
