import { type Database, run } from "../platform/database/database.ts";

/** How long the oldest call that is due has waited, or null when none waits. */
export async function readOldestWaitSeconds(db: Database): Promise<number | null> {
  const [row] = await run<{ seconds: number }>(
    db,
    `/* read_oldest_wait */ select extract(epoch from clock_timestamp() - due_at)::float8 as seconds from calls
     where state = 'queued' and due_at <= clock_timestamp() and due_at > '-infinity' order by due_at limit 1`,
  );
  return row?.seconds ?? null;
}
