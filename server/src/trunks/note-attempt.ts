import type { AttemptOutcome } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunk-health";
import type { Database } from "../database/database.ts";
import { countAttempt, deleteHealthOf, replaceHealth } from "./attempt-note-store.ts";

// What a peer says of itself has no limit of its own.
const TROUBLE_LENGTH_MAX = 500;

/** Counts an attempt that ended, by trunk, caller id and day: what answer rates are made of. */
export function noteAttempt(db: Database, outcome: Omit<AttemptOutcome, "end">): Promise<void> {
  const { trunkId, callerId, rang, answered } = outcome;
  return countAttempt(db, { trunkId, callerId: callerId ?? "", rang, answered });
}

/** Writes down how a trunk does as one worker sees it, for whoever looks at the trunk. */
export function noteHealth(db: Database, workerId: string, trunkId: string, health: TrunkHealth): Promise<void> {
  const trouble = health.trouble?.slice(0, TROUBLE_LENGTH_MAX) ?? null;
  return replaceHealth(db, { trunkId, workerId, ...health, trouble });
}

/** A worker that leaves takes its word along. */
export function forgetHealth(db: Database, workerId: string): Promise<void> {
  return deleteHealthOf(db, workerId);
}
