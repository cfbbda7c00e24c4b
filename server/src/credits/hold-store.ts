import { makeId } from "@parley/contract/ids";
import { run, type Tx } from "../database/database.ts";

/** A movement on behalf of a call: what it does to the day's spending and to the four books. */
export interface CallMovement {
  readonly accountId: string;
  readonly callId: string;
  /** The key that pays, when a key placed the call: its own daily cap applies too. */
  readonly keyId: string | null;
  readonly kind: "hold" | "hold_extended" | "settled" | "released";
  /** The day (UTC) the call counts on; null for today. */
  readonly day: string | null;
  /** Added to what the account and the key have spent or set aside on that day. */
  readonly spendMicros: bigint;
  readonly availableMicros: bigint;
  readonly heldMicros: bigint;
  readonly earnedMicros: bigint;
}

export interface SpendAfter {
  readonly account_micros: bigint;
  readonly account_cap: bigint | null;
  readonly key_micros: bigint | null;
  readonly key_cap: bigint | null;
}

// One statement, so that the account's busiest rows are locked as late and as briefly as can be. Every movement
// locks in the same order (the day's spending, then, by the ledger's trigger, the balance), so two never deadlock.
const MOVE = `/* move_credit */
  with day as (
    select coalesce($5::date, (now() at time zone 'utc')::date) as day
  ), account_spend as (
    insert into spend_days as s (spender_id, day, micros) select $1, day, $6 from day
    on conflict (spender_id, day) do update set micros = s.micros + excluded.micros
    returning micros
  ), key_spend as (
    insert into spend_days as s (spender_id, day, micros) select $3, day, $6 from day where $3::text is not null
    on conflict (spender_id, day) do update set micros = s.micros + excluded.micros
    returning micros
  ), moved as (
    insert into ledger_transfers (id, account_id, kind, call_id, available_micros, held_micros, earned_micros)
    values ($7, $1, $4, $2, $8, $9, $10)
  )
  select account_spend.micros as account_micros, (select micros from key_spend) as key_micros,
    (select daily_spend_cap_micros from accounts where id = $1) as account_cap,
    (select daily_spend_cap_micros from api_keys where id = $3) as key_cap
  from account_spend`;

/** Moves credit and returns what was spent on the day, with the caps that apply. */
export async function moveCredit(tx: Tx, movement: CallMovement): Promise<SpendAfter> {
  const [row] = await run<SpendAfter>(tx, MOVE, [
    movement.accountId,
    movement.callId,
    movement.keyId,
    movement.kind,
    movement.day,
    movement.spendMicros,
    makeId("transfer"),
    movement.availableMicros,
    movement.heldMicros,
    movement.earnedMicros,
  ]);
  if (!row) throw new Error("credit was not moved");
  return row;
}
