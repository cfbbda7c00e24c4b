import { type Database, run } from "@parley/server/platform/database/database";

/** A call as the checker sees it. Times are milliseconds since 1970. */
export interface FinalCall {
  readonly id: string;
  readonly mode: string;
  readonly state: string;
  readonly status: string;
  readonly endReason: string | null;
  readonly ordinal: number;
  readonly answered: boolean;
  readonly endedAtMs: number | null;
  readonly heldMicros: bigint;
  readonly costMicros: bigint | null;
  readonly billedSeconds: number | null;
  readonly dialIds: readonly string[];
  /** The slots of the workers that ran it, which identify their processes. */
  readonly serials: readonly number[];
}

const READ_CALLS = `
  select c.id, c.mode, c.state, c.status, c.end_reason as "endReason", (c.metadata ->> 'ordinal')::int as ordinal,
    c.answered_at is not null as answered, extract(epoch from c.ended_at)::float8 * 1000 as "endedAtMs",
    c.held_micros as "heldMicros", c.cost_micros as "costMicros", c.billed_seconds as "billedSeconds",
    array(select a.dial_id from call_attempts a where a.call_id = c.id) as "dialIds",
    array(select w.slots_max from call_runs r join workers w on w.id = r.worker_id where r.call_id = c.id) as serials
  from calls c order by c.id`;

export function readFinalCalls(db: Database): Promise<FinalCall[]> {
  return run<FinalCall>(db, READ_CALLS);
}

export async function countUnfinished(db: Database): Promise<number> {
  const [row] = await run<{ n: bigint }>(db, "select count(*) as n from calls where state <> 'ended'");
  return Number(row?.n ?? 0n);
}
