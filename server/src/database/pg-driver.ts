import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type { Pool, PoolClient } from "pg";
import { CommitOutcomeUnknown, DatabaseAway, isDatabaseAway } from "./failures.ts";

const STATEMENT_NAME = /^\/\* ([a-z_]+) \*\//;
const OUTCOME_TRIES_MAX = 20;
const OUTCOME_PAUSE_MS = 250;

/** One connection. Statements that begin with a comment such as `/* claim_calls *\/` are prepared under that name. */
class PgConnection implements DatabaseConnection {
  readonly client: PoolClient;
  /** Of the transaction under way, so that a commit whose reply was lost can be looked up. */
  transactionId: string | null = null;
  broken: Error | null = null;

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

  return {
    async init() {
      // The pool connects when it is first used.
    },
    async acquireConnection() {
      const client = await pool.connect();
      const known = connections.get(client) ?? new PgConnection(client);
      connections.set(client, known);
      return known;
    },
    async releaseConnection(connection) {
      const { client, broken } = connection as PgConnection;
      client.release(broken ?? undefined);
    },
    async beginTransaction(connection) {
      const pg = connection as PgConnection;
      const results = (await pg.client.query("begin; select pg_current_xact_id()::text as id")) as unknown as [
        unknown,
        { rows: [{ id: string }] },
      ];
      pg.transactionId = results[1].rows[0].id;
    },
    async commitTransaction(connection) {
      const pg = connection as PgConnection;
      try {
        await pg.client.query("commit");
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        pg.broken = error as Error;
        await settleLostCommit(pool, pg.transactionId, error);
      } finally {
        pg.transactionId = null;
      }
    },
    async rollbackTransaction(connection) {
      const pg = connection as PgConnection;
      pg.transactionId = null;
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

/** Returns when the transaction turns out to have been committed after all; throws what is true otherwise. */
async function settleLostCommit(pool: Pool, transactionId: string | null, cause: unknown): Promise<void> {
  for (let tries = 0; tries < OUTCOME_TRIES_MAX && transactionId; tries += 1) {
    try {
      const result = await pool.query<{ outcome: string | null }>("select pg_xact_status($1::xid8) as outcome", [
        transactionId,
      ]);
      const outcome = result.rows[0]?.outcome;
      if (outcome === "committed") return;
      if (outcome === "aborted")
        throw new DatabaseAway("the connection was lost and the transaction was not committed", { cause });
    } catch (error) {
      if (error instanceof DatabaseAway || !isDatabaseAway(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, OUTCOME_PAUSE_MS));
  }
  throw new CommitOutcomeUnknown("the connection was lost while committing", { cause });
}
