import type { Pool } from "pg";
import { CommitOutcomeUnknown, DatabaseAway, isDatabaseAway } from "./failures.ts";

/** What a transaction remembers of its beginning, so that its outcome can be asked for on another connection. */
export interface TransactionMark {
  readonly id: string;
  readonly begun_at: string;
  readonly server_started_at: string;
}

export const BEGIN_MARKED = `begin; select pg_current_xact_id()::text as id, clock_timestamp()::text as begun_at,
  pg_postmaster_start_time()::text as server_started_at`;

/**
 * A number that was handed out but never reached the disk is handed out again after a crash, so `committed` may speak of
 * another transaction. It speaks of ours when the last checkpoint, which ends every recovery, knew the number as taken;
 * or when the same server has made no checkpoint since we began (the time of one is kept in whole seconds).
 */
const READ_OUTCOME = `select pg_xact_status($1::text::xid8) as outcome,
    $1::text::numeric < split_part(next_xid, ':', 1)::numeric * 4294967296 + split_part(next_xid, ':', 2)::numeric
    or (pg_postmaster_start_time()::text = $3 and checkpoint_time < date_trunc('second', $2::text::timestamptz)) as is_ours
  from pg_control_checkpoint()`;

const TRIES_MAX = 20;
const PAUSE_MS = 250;
/** PostgreSQL, appendix A: what it says of a number that it has not handed out yet. */
const INVALID_PARAMETER_VALUE = "22023";

/** Returns when the transaction turns out to have been committed after all; throws what is true otherwise. */
export async function settleLostCommit(pool: Pool, mark: TransactionMark | null, cause: unknown): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX && mark; tries += 1) {
    const outcome = await readOutcome(pool, mark);
    if (outcome === "committed") return;
    if (outcome === "not committed")
      throw new DatabaseAway("the connection was lost and the transaction was not committed", { cause });
    if (outcome === "unknown") break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new CommitOutcomeUnknown("the connection was lost while committing", { cause });
}

type Outcome = "committed" | "not committed" | "not known yet" | "unknown";

async function readOutcome(pool: Pool, mark: TransactionMark): Promise<Outcome> {
  try {
    const values = [mark.id, mark.begun_at, mark.server_started_at];
    const result = await pool.query<{ outcome: string | null; is_ours: boolean }>(READ_OUTCOME, values);
    const [row] = result.rows;
    if (row?.outcome === "aborted") return "not committed";
    if (row?.outcome === "committed") return row.is_ours ? "committed" : "unknown";
    return "not known yet";
  } catch (error) {
    if (isDatabaseAway(error)) return "not known yet";
    return (error as { code?: unknown }).code === INVALID_PARAMETER_VALUE ? "not committed" : "unknown";
  }
}
