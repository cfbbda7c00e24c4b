import type { AttemptOutcome } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { Database } from "../../platform/database/database.ts";
import { countAttempt } from "./attempt-note-store.ts";
import { deleteCountsBefore } from "./findings-store.ts";

const COUNTS_KEPT_DAYS = 400;

/** Counts an attempt that ended, by trunk, caller id and day: what answer rates are made of. */
export function noteAttempt(db: Database, outcome: Omit<AttemptOutcome, "end">): Promise<void> {
  const { trunkId, callerId, rang, answered } = outcome;
  return countAttempt(db, { trunkId, callerId: callerId ?? "", rang, answered });
}

/** Returns how many days of counts were dropped because they are older than a year and a month. */
export function forgetOldAttempts(db: Database): Promise<number> {
  return deleteCountsBefore(db, COUNTS_KEPT_DAYS);
}
