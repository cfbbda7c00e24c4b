import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type { Pool, PoolClient, QueryResult as Reply } from "pg";
import { CommitOutcomeUnknown, DatabaseAway, isDatabaseAway, isPlanOutdated } from "./failures.ts";

/** What `pg` says of a statement that it did not send, because the connection had died before. */
const NEVER_SENT = /is not queryable$/;
const STATEMENT_NAME = /^\/\* ([a-z_]+) \*\//;

/** Part of the names of prepared statements, and common to all connections: a new one has them all prepared again. */
interface PlanGeneration {
  current: number;
}

/** A connection whose transactions can end in the packet of their last statement. */
export interface CommittingConnection extends DatabaseConnection {
  /**
   * Sends the commit behind the statements that were sent, without waiting for their replies. If one of them fails,
   * PostgreSQL rolls the transaction back. If their replies are lost, they fail with what became of the transaction.
   */
  sendCommit(): void;
}

/** One connection. Statements that begin with a comment such as `/* renew_leases *\/` are prepared under that name. */
class PgConnection implements CommittingConnection {
  readonly client: PoolClient;
  transaction: TransactionUnderWay | null = null;
  /** Of the server, read before the first transaction. It changes only with a server that takes over. */
  timeline: number | null = null;
  broken: Error | null = null;
  isReleased = false;
  readonly #pool: Pool;
  readonly #isPooled: boolean;
  readonly #generation: PlanGeneration;

  constructor(pool: Pool, client: PoolClient, isPooled: boolean, generation: PlanGeneration) {
    this.#pool = pool;
    this.client = client;
    this.#isPooled = isPooled;
    this.#generation = generation;
    // A connection that dies between two statements says so by an event; without a listener that would end the process.
    client.on("error", (error) => {
      this.broken = error;
    });
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const usedGeneration = this.#generation.current;
    try {
      return await this.#send(query);
    } catch (error) {
      if (!isPlanOutdated(error)) throw error;
      // Of several connections that notice it at once, one begins the next generation.
      if (this.#generation.current === usedGeneration) this.#generation.current += 1;
      // A transaction has failed with it, and is repeated as a whole by its owner.
      if (this.transaction) throw error;
      return this.#send(query);
    }
  }

  async #send<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // The next transaction may have another session, which has not prepared it.
    const name = this.#isPooled ? undefined : STATEMENT_NAME.exec(query.sql)?.[1];
    const config = { text: query.sql, values: query.parameters as unknown[] };
    const prepared = name && { ...config, name: `${name}_${this.#generation.current}` };
    if (this.transaction) sendTogether(this.client);
    const sent = this.client.query<R & object>(prepared || config);
    try {
      const result = await this.#afterBegin(sent);
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      this.broken = error as Error;
      const { transaction } = this;
      // What was never sent had no commit behind it.
      if (!transaction?.committing || NEVER_SENT.test(this.broken.message)) throw error;
      await this.settle(transaction.mark, error);
      throw new CommitOutcomeUnknown("the transaction was committed, but the replies to its statements were lost", {
        cause: error,
      });
    }
  }

  sendCommit(): void {
    const { client, transaction } = this;
    if (!transaction) throw new Error("there is no transaction to commit");
    // Without pipelining it is sent when the statements were replied to.
    if (!client.pipeline) return;
    sendTogether(client);
    transaction.committing = client.query("commit");
    transaction.committing.catch(() => undefined);
  }

  /** Returns when a commit whose reply was lost has happened; throws what is true otherwise. */
  async settle(mark: TransactionMark | null, cause: unknown): Promise<void> {
    // Given up first: when every connection of the pool was lost in a commit, asking would otherwise wait for itself.
    if (!this.isReleased) this.client.release(this.broken ?? true);
    this.isReleased = true;
    await settleLostCommit(this.#pool, mark, cause);
  }

  /** The reply to a statement that may have been sent together with the beginning of its transaction. */
  async #afterBegin<T>(sent: Promise<T>): Promise<T> {
    const { transaction } = this;
    if (transaction && transaction.mark === null) {
      // If the transaction could not begin, that is the reason for whatever happened to its statements.
      sent.catch(() => undefined);
      await transaction.begun;
    }
    return sent;
  }

  // biome-ignore lint/correctness/useYield: the port demands it; nothing here streams rows.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("rows are not streamed; read them in pages");
  }
}

export interface PgDriverOptions {
  /** Set where a pooler shares sessions between transactions: the limits that are then set for each of them. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** Joins kysely to a `pg` pool, and knows whether a commit happened even when the connection died during it. */
export function createPgDriver(pool: Pool, { limits }: PgDriverOptions = {}): Driver {
  const settings = Object.entries(limits ?? {}).map(([name, value]) => `set local ${name} = ${value}`);
  const beginText = ["begin", ...settings, MARK].join("; ");
  const connections = new WeakMap<PoolClient, PgConnection>();
  const generation: PlanGeneration = { current: 0 };
  // Here and not where the connection is handed out: its error event may arrive together with the connection.
  pool.on("connect", (client) =>
    connections.set(client, new PgConnection(pool, client, limits !== undefined, generation)),
  );

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
        pg.timeline ??= await readTimeline(pg.client);
      } catch (error) {
        if (isDatabaseAway(error)) pg.broken = error as Error;
        throw error;
      }
      const transaction: TransactionUnderWay = {
        begun: sendBegin(pg, beginText, pg.timeline),
        mark: null,
        committing: null,
      };
      pg.transaction = transaction;
      const begun = transaction.begun.then((mark) => {
        transaction.mark = mark;
      });
      // The first statement follows without waiting for the reply, and fails with the beginning.
      if (pg.client.pipeline) begun.catch(() => undefined);
      else await begun;
    },
    async commitTransaction(connection) {
      const pg = connection as PgConnection;
      // Replied to before any statement of the transaction was.
      const mark = (await pg.transaction?.begun) ?? null;
      try {
        await (pg.transaction?.committing ?? pg.client.query("commit"));
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        pg.broken = error as Error;
        // The driver knew before it sent anything; the server drops the transaction with the connection.
        if (NEVER_SENT.test(pg.broken.message))
          throw new DatabaseAway("the connection was lost before the commit", { cause: error });
        await pg.settle(mark, error);
      } finally {
        pg.transaction = null;
      }
    },
    async rollbackTransaction(connection) {
      const pg = connection as PgConnection;
      const committing = pg.transaction?.committing ?? null;
      pg.transaction = null;
      if (pg.broken) return;
      try {
        // The statement that failed made a rollback of the commit behind it.
        await (committing ?? pg.client.query("rollback"));
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

/** A transaction whose beginning was sent. */
interface TransactionUnderWay {
  readonly begun: Promise<TransactionMark>;
  /** So that a commit whose reply was lost can be looked up; null until the server has replied to the beginning. */
  mark: TransactionMark | null;
  /** The reply to a commit that was sent with the last statement. */
  committing: Promise<Reply> | null;
}

/** What is sent until the program waits for something leaves as one packet: writing is most of what a statement costs us. */
function sendTogether({ connection: { stream }, pipeline }: PoolClient): void {
  if (!pipeline) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function sendBegin(pg: PgConnection, text: string, timeline: number): Promise<TransactionMark> {
  sendTogether(pg.client);
  try {
    const results = (await pg.client.query(text)) as unknown as { rows: Omit<TransactionMark, "timeline">[] }[];
    const mark = results.at(-1)?.rows[0];
    if (!mark) throw new Error("the server did not say which transaction it began");
    return { ...mark, timeline };
  } catch (error) {
    if (isDatabaseAway(error)) pg.broken = error as Error;
    throw error;
  }
}

/** The state of a transaction at its beginning, so that its outcome can be queried on another connection. */
interface TransactionMark {
  readonly id: string;
  readonly begun_at: string;
  readonly server_started_at: string;
  readonly timeline: number;
}

const MARK = `select pg_current_xact_id()::text as id, clock_timestamp()::text as begun_at,
  pg_postmaster_start_time()::text as server_started_at`;

/**
 * The timeline of the last checkpoint. A server that has just taken over may still say the one before, and a pooler may have gone
 * to another server since: both are lower than the true one, which makes a commit unknown that could be known, never the opposite.
 */
async function readTimeline(client: PoolClient): Promise<number> {
  try {
    const { rows } = await client.query<{ timeline_id: number }>("select timeline_id from pg_control_checkpoint()");
    return rows[0]?.timeline_id ?? NO_TIMELINE;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    // A managed service may not let us ask. Then no commit is taken for ours by this.
    return NO_TIMELINE;
  }
}
const NO_TIMELINE = 0;

/**
 * A number that was handed out but never reached the disk is handed out again after a crash, and one that never reached the
 * standby after a fail-over, so `committed` may be about another transaction. It is about our transaction when the last checkpoint knew the
 * number as taken and is of our timeline: a checkpoint ends every recovery, but a server that takes over begins a timeline
 * and hands out numbers before its first one. Or when the same server has made no checkpoint since we began (the time of
 * one is kept in whole seconds).
 */
const READ_OUTCOME = `select pg_xact_status($1::text::xid8) as outcome,
    timeline_id = $4::int and
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
    const values = [mark.id, mark.begun_at, mark.server_started_at, mark.timeline];
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
