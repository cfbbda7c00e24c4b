import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from "kysely";
import pg from "pg";
import { connectTo } from "./connecting/connect.ts";
import type { ServerTarget } from "./connecting/database-url.ts";
import { isPlanOutdated, isTransactionConflict } from "./failures.ts";
import { sendSoon, takeNotifications } from "./notify-after-commit.ts";
import { type CommittingConnection, createPgDriver } from "./pg-driver.ts";
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
  /** Whether the URL leads to a pooler that gives each transaction whichever session is free. */
  readonly isPooled?: boolean;
  /** Which server to use if the URL lists several and does not say. Default: the one that takes writes. */
  readonly target?: ServerTarget;
  /** A server that has not answered for this long is gone, whatever the network says. */
  readonly answerWithinMs?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Called on errors of idle connections, which reconnect automatically. */
  onIdleError(error: Error): void;
  /** Called with what reads the state of the pool, for metrics. */
  onPool?(read: () => PoolState): void;
}

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

const STATEMENT_MS_MAX = 30_000;
const SESSION_LIMITS = {
  // A statement that outlives its client must not keep a crashed database from starting again.
  statement_timeout: STATEMENT_MS_MAX,
  // A suspended process, or a machine that vanished, must not keep others from ending their calls.
  idle_in_transaction_session_timeout: 10_000,
};

/** Opens a pool. Nothing is connected until the first statement. */
export function openDatabase(options: OpenDatabaseOptions): Database {
  const { isPooled = false } = options;
  const pool = new pg.Pool({
    ...(connectTo(options.url, options.target) as pg.PoolConfig),
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Statements that do not need each other's results are sent at once, and each transaction begins with its first one.
    pipeline: true,
    // A vanished machine sends nothing, and TCP keeps the connection for many minutes. Later than the server itself
    // gives up.
    query_timeout: options.answerWithinMs ?? STATEMENT_MS_MAX + 5_000,
    // Poolers refuse settings of a session. There the driver sets them for each transaction.
    ...(isPooled ? {} : SESSION_LIMITS),
    types: TYPES,
  });
  pool.on("error", (error) => {
    // A pool counts as closed a moment before its connections are, and PostgreSQL may be the one that ends them.
    if (!pool.ending) options.onIdleError(error);
  });
  options.onPool?.(() => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createPgDriver(pool, isPooled ? { limits: SESSION_LIMITS } : {}),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** Kysely sends the statements of a transaction one after the other. These connections take several at once. */
const connectionsOf = new WeakMap<Database, CommittingConnection>();

/**
 * Runs a statement written by hand. Begin it with a comment such as `/* renew_leases *\/` to have it prepared once. In a
 * transaction, statements that are not awaited one by one are sent at once and executed in the order of the calls.
 */
export async function run<Row>(db: Database, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...values]);
  const result = await (connectionsOf.get(db)?.executeQuery<Row>(query) ?? db.executeQuery<Row>(query));
  return result.rows;
}

const CONFLICT_TRIES_MAX = 3;

/**
 * Everything in `work` happens, or nothing does. Inside a transaction it simply joins it. When PostgreSQL breaks a
 * deadlock at our cost, or a migration has changed a table, nothing has happened, and the work is done again.
 * Notifications are sent after the commit.
 */
export async function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx);
  for (let tries = 1; ; tries += 1) {
    try {
      let notifications: ReturnType<typeof takeNotifications>;
      const result = await db.transaction().execute(async (tx) => {
        await tx.getExecutor().provideConnection(async (connection) => {
          // What the driver below has handed out.
          connectionsOf.set(tx, connection as CommittingConnection);
        });
        try {
          const done = await work(tx);
          notifications = takeNotifications(tx);
          return done;
        } finally {
          // A statement that comes too late is refused by kysely.
          connectionsOf.delete(tx);
        }
      });
      if (notifications) sendSoon(db, notifications, (due) => sendNotifications(db, due));
      return result;
    } catch (error) {
      if (!(isTransactionConflict(error) || isPlanOutdated(error)) || tries >= CONFLICT_TRIES_MAX) throw error;
    }
  }
}

/**
 * A transaction of one statement: its beginning, the statement and the commit are sent as one packet, so that it takes one
 * round trip. `then` gets the rows, to ask for notifications. Inside a transaction the statement simply joins it.
 */
export function commitOne<Row>(
  db: Database,
  text: string,
  values: readonly unknown[],
  then: (tx: Tx, rows: readonly Row[]) => void = () => undefined,
): Promise<Row[]> {
  return inTransaction(db, async (tx) => {
    const replied = run<Row>(tx, text, values);
    if (!db.isTransaction) connectionsOf.get(tx)?.sendCommit();
    const rows = await replied;
    then(tx, rows);
    return rows;
  });
}

async function sendNotifications(
  db: Database,
  notifications: readonly { readonly channel: string; readonly payload: string }[],
): Promise<void> {
  await run(
    db,
    "/* notify */ select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) n (channel, payload)",
    [notifications.map(({ channel }) => channel), notifications.map(({ payload }) => payload)],
  );
}
