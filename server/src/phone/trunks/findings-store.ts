import { type Database, run } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";

export interface CountRow {
  readonly attempts: number;
  readonly rang: number;
  readonly answered: number;
}

const SUMS = "sum(attempts)::int as attempts, sum(rang)::int as rang, sum(answered)::int as answered";
const RECENT = "day > (clock_timestamp() at time zone 'utc')::date - $2::int";

export async function sumAnswers(
  db: Database,
  trunkIds: readonly string[],
  days: number,
): Promise<(CountRow & { readonly trunk_id: string })[]> {
  return run(
    db,
    `select trunk_id, ${SUMS} from trunk_caller_days where trunk_id = any($1) and ${RECENT} group by trunk_id`,
    [trunkIds, days],
  );
}

/** The most used first. */
export async function sumAnswersByCallerId(
  db: Database,
  trunkId: string,
  days: number,
  rowsMax: number,
): Promise<(CountRow & { readonly caller_id: string })[]> {
  return run(
    db,
    `select caller_id, ${SUMS} from trunk_caller_days where trunk_id = $1 and ${RECENT}
     group by caller_id order by sum(attempts) desc, caller_id limit $3`,
    [trunkId, days, rowsMax],
  );
}

export async function sumAnswersByDay(
  db: Database,
  trunkId: string,
  days: number,
): Promise<(CountRow & { readonly day: string })[]> {
  return run(
    db,
    `select day, ${SUMS} from trunk_caller_days where trunk_id = $1 and ${RECENT} group by day order by day desc`,
    [trunkId, days],
  );
}

export interface HealthRow {
  readonly trunk_id: string;
  readonly worker_id: string;
  readonly is_reachable: boolean | null;
  readonly is_registered: boolean | null;
  readonly circuit: "closed" | "open" | "half_open";
  readonly trouble: string | null;
  readonly reported_at: Date;
}

/** The notes that workers renewed recently. */
export async function readHealthRows(
  db: Database,
  trunkIds: readonly string[],
  withinSeconds: number,
): Promise<HealthRow[]> {
  return run(
    db,
    `select * from trunk_health
     where trunk_id = any($1) and reported_at > clock_timestamp() - make_interval(secs => $2)
     order by worker_id`,
    [trunkIds, withinSeconds],
  );
}

/** Returns how many rows are gone. */
export async function deleteCountsBefore(db: Database, days: number): Promise<number> {
  const where = "day < (clock_timestamp() at time zone 'utc')::date - $1::int";
  return deleteInBatches(db, { table: "trunk_caller_days", where, values: [days] });
}

export async function deleteHealthBefore(db: Database, seconds: number): Promise<void> {
  await run(db, "delete from trunk_health where reported_at < clock_timestamp() - make_interval(secs => $1)", [
    seconds,
  ]);
}
