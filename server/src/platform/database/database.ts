import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from "kysely";
import pg from "pg";
import { isTransactionConflict } from "./failures.ts";
import { createPgDriver } from "./pg-driver.ts";
import type { Schema } from "./schema/schema.ts";

/** The database, or a transaction on it. */
export type Database = Kysely<Schema>;
export type Tx = Transaction<Schema>;

// bigint arrives as BigInt because money must not lose a micro; a date has no time zone and stays text.
const TYPES = new pg.TypeOverrides();
TYPES.setTypeParser(20, (text) => BigInt(text));
TYPES.setTypeParser(1082, (text) => text);

export interface OpenDatabaseOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** A server that has not answered for this long is gone, whatever the network says. */
  readonly answerWithinMs?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Called on errors of idle connections, which reconnect automatically. */
  onIdleError(error: Error): void;
}

const STATEMENT_MS_MAX = 30_000;

/** Opens a pool. Nothing is connected until the first statement. */
export function openDatabase(options: OpenDatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // A statement that outlives its client must not keep a crashed database from starting again.
    statement_timeout: STATEMENT_MS_MAX,
    // A vanished machine sends nothing, and TCP keeps the connection for many minutes. Later than the server itself
    // gives up.
    query_timeout: options.answerWithinMs ?? STATEMENT_MS_MAX + 5_000,
    // A suspended process, or a machine that vanished, must not keep others from ending their calls.
    idle_in_transaction_session_timeout: 10_000,
    types: TYPES,
  });
  pool.on("error", (error) => {
    // A pool counts as closed a moment before its connections are, and PostgreSQL may be the one that ends them.
    if (!pool.ending) options.onIdleError(error);
  });
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createPgDriver(pool),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** Runs a statement written by hand. Begin it with a comment such as `/* claim_calls *\/` to have it prepared once. */
export async function run<Row>(db: Database, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const result = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return result.rows;
}

const CONFLICT_TRIES_MAX = 3;

/**
 * Everything in `work` happens, or nothing does. Inside a transaction it simply joins it. When PostgreSQL breaks a
 * deadlock at our cost nothing has happened, and the work is done again.
 */
export async function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx);
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isTransactionConflict(error) || tries >= CONFLICT_TRIES_MAX) throw error;
    }
  }
}
