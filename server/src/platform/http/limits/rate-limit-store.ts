import { type Database, run } from "../../database/database.ts";

export interface RateLease {
  /** Requests granted to this process; 0 when the window is used up. */
  readonly tokens: number;
  /** Granted to all processes in this window so far. */
  readonly granted: number;
  /** How long this window still lasts, by the database's clock. */
  readonly remainingMs: number;
}

// A lease takes a tenth of what is left, so a busy process asks rarely and the last ones are handed out singly.
const LEASE = `/* lease_rate_window */
  with clock as (
    select floor(extract(epoch from t))::bigint as window_start, 1000 - (extract(epoch from t) * 1000)::bigint % 1000 as remaining_ms
    from (select clock_timestamp() as t) now
  ), leased as (
    insert into rate_windows as r (bucket, window_start, granted, last_grant)
    select $1, window_start, greatest(1, $2::int / 10), greatest(1, $2::int / 10) from clock
    on conflict (bucket) do update set
      window_start = excluded.window_start,
      granted = case when r.window_start <> excluded.window_start then excluded.granted
        else least($2::int, r.granted + greatest(1, ($2::int - r.granted) / 10)) end,
      last_grant = case when r.window_start <> excluded.window_start then excluded.granted
        else least($2::int, r.granted + greatest(1, ($2::int - r.granted) / 10)) - r.granted end
    returning granted, last_grant
  )
  select leased.granted, leased.last_grant, clock.remaining_ms::int from leased, clock`;

/** Leases some requests of the current one-second window of a bucket. */
export async function leaseRateWindow(db: Database, bucket: string, limit: number): Promise<RateLease> {
  const [row] = await run<{ granted: number; last_grant: number; remaining_ms: number }>(db, LEASE, [bucket, limit]);
  if (!row) throw new Error("the rate window could not be leased");
  return { tokens: Math.max(0, row.last_grant), granted: row.granted, remainingMs: row.remaining_ms };
}
