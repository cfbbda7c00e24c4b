import { run, type Tx } from "../database/database.ts";

// The update locks the row and, after a wait for it, looks at it again: so the limit is exact over all workers. A send
// time that was handed out is not taken back when a limit changes, because somebody may be waiting for it.
const TAKE_SLOT = `/* take_trunk_slot */
  update trunk_channels set active_count = active_count + 1,
    next_send_at = case when calls_per_second is null then next_send_at
      else greatest(next_send_at, clock_timestamp()) + make_interval(secs => 1 / calls_per_second) end
  where trunk_id = $1 and (channels_max is null or active_count < channels_max)
  returning case when calls_per_second is null then 0 else greatest(0, extract(epoch from
    next_send_at - make_interval(secs => 1 / calls_per_second) - clock_timestamp()) * 1000)::float8 end as wait_ms`;

/** How long until the call that took the channel may be sent; null when every channel is in use, or the trunk is gone. */
export async function takeSlot(tx: Tx, trunkId: string): Promise<number | null> {
  const [row] = await run<{ wait_ms: number }>(tx, TAKE_SLOT, [trunkId]);
  return row?.wait_ms ?? null;
}

export async function freeSlot(tx: Tx, trunkId: string): Promise<void> {
  await run(tx, "/* free_trunk_slot */ update trunk_channels set active_count = active_count - 1 where trunk_id = $1", [
    trunkId,
  ]);
}
