import type { AttemptOutcome } from "@parley/telephony/sip-carrier/sip-carrier-options";
import { type Database, run } from "../../platform/database/database.ts";
import { deleteCountsBefore } from "./findings-store.ts";

interface AttemptNote {
  readonly trunkId: string;
  /** Empty where no number was shown. */
  readonly callerId: string;
  readonly rang: boolean;
  readonly answered: boolean;
}

/** Counts an attempt under today, in UTC. A deleted trunk is ignored. */
async function countAttempt(db: Database, note: AttemptNote): Promise<void> {
  await run(
    db,
    `/* count_attempt */ insert into trunk_caller_days as d (trunk_id, caller_id, day, attempts, rang, answered)
     select t.id, $2, (clock_timestamp() at time zone 'utc')::date, 1, $3::boolean::int, $4::boolean::int
     from trunks t where t.id = $1
     on conflict (trunk_id, caller_id, day) do update set attempts = d.attempts + 1,
       rang = d.rang + excluded.rang, answered = d.answered + excluded.answered`,
    [note.trunkId, note.callerId, note.rang, note.answered],
  );
}

export interface HealthNote {
  readonly trunkId: string;
  readonly workerId: string;
  readonly isReachable: boolean | null;
  readonly isRegistered: boolean | null;
  readonly circuit: "closed" | "open" | "half_open";
  readonly trouble: string | null;
}

/** Keeps the newest note of a worker on a trunk. */
export async function replaceHealth(db: Database, note: HealthNote): Promise<void> {
  await run(
    db,
    `/* replace_health */ insert into trunk_health (trunk_id, worker_id, is_reachable, is_registered, circuit, trouble)
     select t.id, $2, $3, $4, $5, $6 from trunks t where t.id = $1
     on conflict (trunk_id, worker_id) do update set is_reachable = excluded.is_reachable,
       is_registered = excluded.is_registered, circuit = excluded.circuit, trouble = excluded.trouble,
       reported_at = excluded.reported_at`,
    [note.trunkId, note.workerId, note.isReachable, note.isRegistered, note.circuit, note.trouble],
  );
}

export async function deleteHealthOf(db: Database, workerId: string): Promise<void> {
  await run(db, "delete from trunk_health where worker_id = $1", [workerId]);
}

const COUNTS_KEPT_DAYS = 400;

/** Counts an attempt that ended, by trunk, caller id and day: the input of answer rates. */
export function noteAttempt(db: Database, outcome: Omit<AttemptOutcome, "end">): Promise<void> {
  const { trunkId, callerId, rang, answered } = outcome;
  return countAttempt(db, { trunkId, callerId: callerId ?? "", rang, answered });
}

/** Returns how many days of counts were dropped because they are older than a year and a month. */
export function forgetOldAttempts(db: Database): Promise<number> {
  return deleteCountsBefore(db, COUNTS_KEPT_DAYS);
}
