import { type Database, run } from "../../platform/database/database.ts";

/**
 * A pause of the beats that is longer than this means that workers may not have been able to renew. A lease has at least
 * seven seconds left whenever the database goes away, so a shorter pause has cost nobody a call.
 */
const GAP_SECONDS = 6;

/**
 * Notes that the database can be written to now, and since when that has been so without a gap. By the database's own
 * clock, over all workers: what one of them could not do for a while, all of them wait for. A clock that jumps is a gap too.
 * While nobody conducts a call nobody has to renew, and a gap means nothing: so it is before the first worker ever starts.
 * One beat per second is enough, however many workers there are.
 */
export async function beatPulse(db: Database): Promise<void> {
  await run(
    db,
    `/* beat_pulse */ update worker_pulse set beat_at = clock_timestamp(),
       steady_since = case when clock_timestamp() between beat_at and beat_at + interval '${GAP_SECONDS} seconds'
         then steady_since
         when exists (select 1 from call_runs where ended_at is null) then clock_timestamp()
         else '-infinity' end
     where not clock_timestamp() between beat_at and beat_at + interval '0.9 seconds'`,
  );
}

/** A condition: the database has been up and writable, without a gap until now, for the given number of seconds. */
export const isSteadyFor = (secondsParameter: string) =>
  `exists (
     select 1 from worker_pulse
     where clock_timestamp() between beat_at and beat_at + interval '${GAP_SECONDS} seconds'
       and steady_since <= clock_timestamp() - make_interval(secs => ${secondsParameter})
   ) and pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => ${secondsParameter})`;
