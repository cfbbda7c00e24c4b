import { randomUUID } from "node:crypto";
import type pg from "pg";

/**
 * Whether a connection pooler stands between us and PostgreSQL that gives each transaction whichever session is free, such as
 * PgBouncer in transaction mode. Locks, LISTEN and settings of a session do not work through one.
 */
export async function isSessionShared(client: pg.Client, openAnother: () => Promise<pg.Client>): Promise<boolean> {
  // A pooler tells its clients a process id of its own.
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (rows[0]?.pid === (client as unknown as { processID: number }).processID) return false;
  for (let tries = 0; tries < PROBES; tries += 1) if (!(await keepsSession(client, openAnother))) return true;
  return false;
}

/** Other clients may happen to leave us the same session. */
const PROBES = 3;

/** Leaves a mark in the session, has another client take a session for itself, and looks for the mark. */
async function keepsSession(client: pg.Client, openAnother: () => Promise<pg.Client>): Promise<boolean> {
  const mark = randomUUID();
  await client.query("select set_config('parley.session_probe', $1, false)", [mark]);
  const other = await openAnother();
  try {
    await other.query("begin");
    await other.query("select 1");
    const { rows } = await client.query<{ mark: string | null }>(
      "select current_setting('parley.session_probe', true) as mark",
    );
    return rows[0]?.mark === mark;
  } finally {
    await other.end();
  }
}
