import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type { Pool, PoolClient } from "pg";
import { CommitOutcomeUnknown, DatabaseAway, isDatabaseAway } from "./failures.ts";

/** What `pg` says of a statement that it did not send, because the connection had died before. */
const NEVER_SENT = /is not queryable$/;
const STATEMENT_NAME = /^\/\* ([a-z_]+) \*\//;

/** One connection. Statements that begin with a comment such as `/* claim_calls *\/` are prepared under that name. */
class PgConnection implements DatabaseConnection {
  readonly client: PoolClient;
  /** Of the transaction under way, so that a commit whose reply was lost can be looked up. */
  transaction: TransactionMark | null = null;
  broken: Error | null = null;
  isReleased = false;

  constructor(client: PoolClient) {
    this.client = client;
    // A connection that dies between two statements says so by an event; without a listener that would end the process.
    client.on("error", (error) => {
      this.broken = error;
    });
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const name = STATEMENT_NAME.exec(query.sql)?.[1];
    const config = { text: query.sql, values: query.parameters as unknown[] };
    try {
      const result = await this.client.query<R & object>(name ? { ...config, name } : config);
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
    } catch (error) {
      if (isDatabaseAway(error)) this.broken = error as Error;
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: the port demands it; nothing here streams rows.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("rows are not streamed; read them in pages");
  }
}

/** Joins kysely to a `pg` pool, and knows whether a commit happened even when the connection died during it. */
export function createPgDriver(pool: Pool): Driver {
  const connections = new WeakMap<PoolClient, PgConnection>();
  // Here and not where the connection is handed out: its error event may arrive together with the connection.
  pool.on("connect", (client) => connections.set(client, new PgConnection(client)));

  return {
    async init() {
      // The pool connects when it is first used.
    },
    async acquireConnection() {
      const client = await pool.connect();
      const known = connections.get(client);
      if (!known) throw new Error("the pool was used before the driver knew of it");
      return known;
    },
    async releaseConnection(connection) {
      const { client, broken, isReleased } = connection as PgConnection;
      if (!isReleased) client.release(broken ?? undefined);
    },
    async beginTransaction(connection) {
      const pg = connection as PgConnection;
      try {
        const results = (await pg.client.query(BEGIN_MARKED)) as unknown as [unknown, { rows: [TransactionMark] }];
        pg.transaction = results[1].rows[0];
      } catch (error) {
        if (isDatabaseAway(error)) pg.broken = error as Error;
        throw error;
      }
    },
    async commitTransaction(connection) {
      const pg = connection as PgConnection;
      try {
        await pg.client.query("commit");
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        pg.broken = error as Error;
        // The driver knew before it sent anything; the server drops the transaction with the connection.
        if (NEVER_SENT.test(pg.broken.message))
          throw new DatabaseAway("the connection was lost before the commit", { cause: error });
        // Given up first: when every connection of the pool was lost in a commit, asking would otherwise wait for itself.
        pg.isReleased = true;
        pg.client.release(pg.broken);
        await settleLostCommit(pool, pg.transaction, error);
      } finally {
        pg.transaction = null;
      }
    },
    async rollbackTransaction(connection) {
      const pg = connection as PgConnection;
      pg.transaction = null;
      if (pg.broken) return;
      try {
        await pg.client.query("rollback");
      } catch (error) {
        // A rollback that cannot be sent has happened: the server drops the transaction with the connection.
        pg.broken = error as Error;
      }
    },
    async destroy() {
      await pool.end();
    },
  };
}

/** The state of a transaction at its beginning, so that its outcome can be queried on another connection. */
interface TransactionMark {
  readonly id: string;
  readonly begun_at: string;
  readonly server_started_at: string;
}

const BEGIN_MARKED = `begin; select pg_current_xact_id()::text as id, clock_timestamp()::text as begun_at,
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
async function settleLostCommit(pool: Pool, mark: TransactionMark | null, cause: unknown): Promise<void> {
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
