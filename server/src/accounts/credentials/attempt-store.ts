import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";

export interface CountedAttempt {
  readonly subject: string;
  readonly failures: number;
  /** How long it still counts, by the database's clock. */
  readonly leaves_in_seconds: number;
}

/** Locks these subjects. They must be sorted, so that transactions never deadlock. */
export async function lockSubjects(tx: Tx, subjects: readonly string[]): Promise<void> {
  await run(
    tx,
    `/* lock_attempt_subjects */ select pg_advisory_xact_lock(hashtextextended('attempts ' || s, 0)) from unnest($1::text[]) as s`,
    [subjects],
  );
}

/** The attempts that still count, newest first. */
export async function readAttempts(
  tx: Tx,
  subjects: readonly string[],
  windowsSeconds: readonly number[],
): Promise<CountedAttempt[]> {
  return run(
    tx,
    `/* read_attempts */
     select f.subject, f.failures,
       extract(epoch from f.window_start + make_interval(secs => l.seconds) - clock_timestamp())::float8 as leaves_in_seconds
     from unnest($1::text[], $2::int[]) as l(subject, seconds)
     join failed_attempts f on f.subject = l.subject
       and f.window_start > clock_timestamp() - make_interval(secs => l.seconds)
     order by f.window_start desc`,
    [subjects, windowsSeconds],
  );
}

/** Counts one attempt against each subject and returns the time, so that it can be reverted. */
export async function insertAttempt(tx: Tx, subjects: readonly string[]): Promise<Date> {
  const [row] = await run<{ window_start: Date }>(
    tx,
    `/* insert_attempt */
     insert into failed_attempts as f (subject, window_start, failures)
     select s, now.at, 1 from unnest($1::text[]) as s, (select clock_timestamp()::timestamptz(3) as at) now
     on conflict (subject, window_start) do update set failures = f.failures + 1
     returning window_start`,
    [subjects],
  );
  if (!row) throw new Error("the attempt was not counted");
  return row.window_start;
}

export async function takeBackAttempt(tx: Tx, subjects: readonly string[], at: Date): Promise<void> {
  await run(
    tx,
    `/* take_back_attempt */ update failed_attempts set failures = failures - 1
     where subject = any($1::text[]) and window_start = $2 and failures > 0`,
    [subjects, at],
  );
}

export async function deleteAttempts(tx: Tx, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  await tx
    .deleteFrom("failed_attempts")
    .where("subject", "in", [...subjects])
    .execute();
}

/** No limit looks back further than an hour. */
export async function deleteOldAttempts(db: Database): Promise<void> {
  await deleteInBatches(db, { table: "failed_attempts", where: "window_start < clock_timestamp() - interval '1 day'" });
}
