import { type Database, run, type Tx } from "../../platform/database/database.ts";

/** A call without a channel retries within two seconds; its turn is kept for that long. */
const WANTED_SECONDS = 3;

// The update locks the row and, after a wait for it, looks at it again: so the limit is exact over all workers. A send
// time that was handed out is not taken back when a limit changes, because somebody may be waiting for it. Turns are looked
// at as they stood before the wait, which can cost somebody a turn and never a limit.
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
 * How long until the call that took the channel may be sent; null when every channel is in use, when it is another
 * account's turn, or the trunk is gone. Without an account nobody's turn is looked at.
 */
export async function takeSlot(tx: Tx, trunkId: string, accountId: string | null): Promise<number | null> {
  const [row] = await run<{ wait_ms: number; is_limited: boolean }>(tx, TAKE_SLOT, [trunkId, accountId]);
  if (!row) return null;
  if (row.is_limited && accountId !== null)
    await run(
      tx,
      `/* count_trunk_turn */ insert into trunk_turns (trunk_id, account_id, served_at) values ($1, $2, clock_timestamp())
       on conflict (trunk_id, account_id) do update set served_at = excluded.served_at`,
      [trunkId, accountId],
    );
  return row.wait_ms;
}

/** Notes that an account found no channel on a trunk and will ask again soon. */
export async function wantSlot(db: Database, trunkId: string, accountId: string): Promise<void> {
  await run(
    db,
    `/* want_trunk_slot */ insert into trunk_turns (trunk_id, account_id, wanted_until)
     select id, $2, clock_timestamp() + interval '${WANTED_SECONDS} seconds' from trunks where id = $1
     on conflict (trunk_id, account_id) do update set wanted_until = excluded.wanted_until`,
    [trunkId, accountId],
  );
}

export async function freeSlot(tx: Tx, trunkId: string): Promise<void> {
  await run(tx, "/* free_trunk_slot */ update trunk_channels set active_count = active_count - 1 where trunk_id = $1", [
    trunkId,
  ]);
}
