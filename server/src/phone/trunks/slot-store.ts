import { type Database, run, type Tx } from "../../platform/database/database.ts";

/** A call without a channel retries within two seconds; its turn is kept for that long. */
const WANTED_SECONDS = 3;

// The update locks the row and, after a wait for it, looks at it again: so the limit is exact over all workers. A send
// time that was handed out is not taken back when a limit changes, because a call may be waiting for it. Turns are
// looked at as they were before the wait, which can cost a call its turn but never exceeds a limit.
const TAKE_SLOT = `/* take_trunk_slot */
  update trunk_channels set active_count = active_count + 1,
    next_send_at = case when calls_per_second is null then next_send_at
      else greatest(next_send_at, clock_timestamp()) + make_interval(secs => 1 / calls_per_second) end
  where trunk_id = $1 and (channels_max is null or active_count < channels_max)
    and ($2::text is null or not exists (
      select 1 from trunk_turns other
      where other.trunk_id = $1 and other.account_id <> $2 and other.wanted_until > clock_timestamp()
        and other.served_at < (select served_at from trunk_turns where trunk_id = $1 and account_id = $2)
    ))
  returning channels_max is not null or calls_per_second is not null as is_limited,
    case when calls_per_second is null then 0 else greatest(0, extract(epoch from
    next_send_at - make_interval(secs => 1 / calls_per_second) - clock_timestamp()) * 1000)::float8 end as wait_ms`;

/**
 * Counts one channel of a trunk as taken and returns how long until its call may be sent. It belongs into the transaction
 * that inserts the attempt with this `trunk_id`: the count and the open attempts of a trunk are then always the same number,
 * over all workers. `full` when no channel is free, when an account that got one longer ago waits for it, or when the trunk
 * was removed meanwhile. Without an account, turns do not matter.
 */
export async function takeTrunkSlot(
  tx: Tx,
  trunkId: string,
  accountId: string | null = null,
): Promise<{ readonly afterMs: number } | "full"> {
  const [row] = await run<{ wait_ms: number; is_limited: boolean }>(tx, TAKE_SLOT, [trunkId, accountId]);
  if (!row) return "full";
  if (row.is_limited && accountId !== null)
    await run(
      tx,
      `/* count_trunk_turn */ insert into trunk_turns (trunk_id, account_id, served_at) values ($1, $2, clock_timestamp())
       on conflict (trunk_id, account_id) do update set served_at = excluded.served_at`,
      [trunkId, accountId],
    );
  return { afterMs: row.wait_ms };
}

/**
 * Notes that an account found a trunk full and asks again soon, so that accounts with many calls let it go first. Not in the
 * transaction that found it full: that one is rolled back.
 */
export async function waitForTrunkSlot(db: Database, trunkId: string, accountId: string): Promise<void> {
  await run(
    db,
    `/* want_trunk_slot */ insert into trunk_turns (trunk_id, account_id, wanted_until)
     select id, $2, clock_timestamp() + interval '${WANTED_SECONDS} seconds' from trunks where id = $1
     on conflict (trunk_id, account_id) do update set wanted_until = excluded.wanted_until`,
    [trunkId, accountId],
  );
}

/**
 * Counts the channel as free again. It belongs into the transaction that sets the attempt's `ended_at`, once for each row
 * whose `ended_at` that very statement changed from null: so a channel is freed only once.
 */
export async function freeTrunkSlot(tx: Tx, trunkId: string): Promise<void> {
  await run(tx, "/* free_trunk_slot */ update trunk_channels set active_count = active_count - 1 where trunk_id = $1", [
    trunkId,
  ]);
}
