import { type Database, run } from "../database.ts";

/** How far a server has come in the write-ahead log, in bytes: what it has written, or on a standby, what it has replayed. */
export async function readLogPosition(db: Database): Promise<number> {
  const [row] = await run<{ position: string }>(
    db,
    `/* read_log_position */ select pg_wal_lsn_diff(
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::text as position`,
  );
  return Number(row?.position);
}
