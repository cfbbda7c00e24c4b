import { type Database, run, type Tx } from "../database/database.ts";

/** Adds to what a spender has committed on a day (today unless named), and returns the new sum with the day. */
export async function addSpend(
  tx: Tx,
  spenderId: string,
  micros: bigint,
  day: string | null,
): Promise<{ day: string; micros: bigint }> {
  const [row] = await run<{ day: string; micros: bigint }>(
    tx,
    `/* add_spend */ insert into spend_days as s (spender_id, day, micros)
     values ($1, coalesce($3::date, (now() at time zone 'utc')::date), $2)
     on conflict (spender_id, day) do update set micros = s.micros + excluded.micros
     returning day, micros`,
    [spenderId, micros, day],
  );
  if (!row) throw new Error("spend was not recorded");
  return row;
}

/** The account's own cap; a key's cap comes with the key. */
export async function readAccountCap(db: Database, accountId: string): Promise<bigint | null> {
  const [row] = await run<{ cap: bigint | null }>(
    db,
    "/* read_account_cap */ select daily_spend_cap_micros as cap from accounts where id = $1",
    [accountId],
  );
  return row?.cap ?? null;
}

export async function readKeyCap(db: Database, keyId: string): Promise<bigint | null> {
  const [row] = await run<{ cap: bigint | null }>(
    db,
    "/* read_key_cap */ select daily_spend_cap_micros as cap from api_keys where id = $1",
    [keyId],
  );
  return row?.cap ?? null;
}
