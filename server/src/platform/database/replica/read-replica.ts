import type { Clock } from "@parley/time/clock";
import { type Database, run } from "../database.ts";

export interface ReadReplica {
  /** Where to read what may be a little old: the replica, or the database itself while the replica is too far behind. */
  current(): Database;
  close(): Promise<void>;
}

export interface ReadReplicaOptions {
  /** The database itself. */
  readonly db: Database;
  readonly replica: Database;
  readonly lagMaxMs: number;
  readonly clock: Clock;
  /** Default: asks the server. */
  readonly readPosition?: (db: Database) => Promise<number>;
  /** Called when the replica is no longer used, and when it is used again. */
  onChange(isUsed: boolean, error: unknown): void;
}

const CHECK_MS = 1000;

/**
 * Watches how far a replica is behind. Positions in the write-ahead log are compared, not clocks: the replica is as old as the
 * latest moment whose position it has reached. Until that is known it is not used.
 */
export function watchReplica(options: ReadReplicaOptions): ReadReplica {
  const { db, replica, lagMaxMs, clock, onChange, readPosition = readLogPosition } = options;
  /** Positions of the database and when it had them, oldest first, from the latest one that the replica has reached. */
  let passed: { readonly position: number; readonly atMs: number }[] = [];
  let isUsed = false;
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let cancel: () => void = () => undefined;
  let isClosed = false;
  let checking: Promise<void> = Promise.resolve();

  async function check(): Promise<void> {
    try {
      const atMs = clock.now();
      passed.push({ position: await readPosition(db), atMs });
      const reached = await readPosition(replica);
      const latest = passed.findLastIndex(({ position }) => position <= reached);
      const reachedAtMs = passed[latest]?.atMs ?? Number.NEGATIVE_INFINITY;
      passed = passed.slice(Math.max(0, latest)).slice(-Math.ceil(lagMaxMs / CHECK_MS) - 2);
      use(clock.now() - reachedAtMs <= lagMaxMs, null);
      checkedAtMs = clock.now();
    } catch (error) {
      use(false, error);
    }
    if (!isClosed) cancel = clock.setTimer(CHECK_MS, () => (checking = check()));
  }

  function use(next: boolean, error: unknown): void {
    if (next !== isUsed && !isClosed) onChange(next, error);
    isUsed = next;
  }

  checking = check();
  return {
    // A check that hangs says nothing about the replica.
    current: () => (isUsed && clock.now() - checkedAtMs <= lagMaxMs + CHECK_MS ? replica : db),
    async close() {
      isClosed = true;
      cancel();
      await checking;
      await replica.destroy();
    },
  };
}

/** How far a server has come in the write-ahead log, in bytes: what it has written, or on a standby, what it has replayed. */
async function readLogPosition(db: Database): Promise<number> {
  const [row] = await run<{ position: string }>(
    db,
    `/* read_log_position */ select pg_wal_lsn_diff(
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::text as position`,
  );
  return Number(row?.position);
}
