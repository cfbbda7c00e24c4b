import { makeId } from "@parley/contract/ids";
import { DELIVERIES_CHANNEL } from "../../platform/database/channels.ts";
import { run, type Tx } from "../../platform/database/database.ts";
import { notifyAfterCommit } from "../../platform/database/notify-after-commit.ts";

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
  /** The note in the ledger. */
  readonly note?: string;
}

export interface SpendAfter {
  readonly account_micros: bigint;
  readonly account_cap: bigint | null;
  readonly key_micros: bigint | null;
  readonly key_cap: bigint | null;
  readonly call_cap: bigint | null;
  readonly destination_cap: bigint | null;
  /** The day the movement counts on. */
  readonly day: string;
  /** Whether it takes the balance below the account's limit, and that has not been reported yet. */
  readonly is_low: boolean;
}

// One statement, so that the account's busiest rows are locked as late and as briefly as can be. Every movement
// locks in the same order (the day's spending, then the balance), so two never deadlock. The balance is locked before the
// transfer is posted, because only a row that is locked is read as the movement before has left it.
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
  ), balance as (
    select not b.was_low_told and b.available_micros + $8::bigint < a.credit_low_micros as is_low
    from account_spend, accounts a, account_balances b where a.id = $1 and b.account_id = $1
    for update of b
  )
  select post_transfer($7, $1, $4, $2, $11, $8, $9, $10, 0), account_spend.micros as account_micros, key_spend.micros as key_micros,
    (select daily_spend_cap_micros from api_keys where id = $3) as key_cap, (select day from day) as day,
    a.daily_spend_cap_micros as account_cap, a.call_spend_cap_micros as call_cap,
    a.destination_spend_cap_micros as destination_cap, coalesce(balance.is_low, false) as is_low
  from account_spend left join key_spend on true left join balance on true, accounts a where a.id = $1`;

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
    movement.note ?? "",
  ]);
  if (!row) throw new Error("credit was not moved");
  return row;
}

/**
 * The cost and holds of an account's other calls to a number on a day. A transaction that holds credit for the account
 * on that day waits for others that do so, so that it stays true until the end of a transaction that has moved credit.
 */
export async function readSpentOn(
  tx: Tx,
  hold: { accountId: string; phoneNumber: string; callId: string; day: string },
) {
  const [row] = await run<{ micros: bigint }>(
    tx,
    `/* read_spent_on */ select coalesce(sum(case when state <> 'ended' then held_micros when is_charged then coalesce(cost_micros, 0) else 0 end), 0)::bigint as micros
     from calls where account_id = $1 and mode = 'live' and phone_number = $2 and held_on = $4 and id <> $3`,
    [hold.accountId, hold.phoneNumber, hold.callId, hold.day],
  );
  return row?.micros ?? 0n;
}

export async function readCallCap(tx: Tx, accountId: string): Promise<bigint | null> {
  const [row] = await run<{ cap: bigint | null }>(
    tx,
    "/* read_call_cap */ select call_spend_cap_micros as cap from accounts where id = $1",
    [accountId],
  );
  return row?.cap ?? null;
}

export interface LowBalance {
  readonly available_micros: bigint;
  readonly held_micros: bigint;
  readonly credit_low_micros: bigint;
}

/** Marks the account as notified if its balance has fallen below its limit. Null if it has not, or was already notified. */
export async function markLowNotified(tx: Tx, accountId: string): Promise<LowBalance | null> {
  const [row] = await run<LowBalance>(
    tx,
    `/* mark_low_notified */ update account_balances b set was_low_told = true from accounts a
     where b.account_id = $1 and a.id = $1 and not b.was_low_told and b.available_micros < a.credit_low_micros
     returning b.available_micros, b.held_micros, a.credit_low_micros`,
    [accountId],
  );
  return row ?? null;
}

export async function insertAccountReport(
  tx: Tx,
  report: { id: string; accountId: string; type: string; body: string },
): Promise<void> {
  await run(tx, "/* insert_account_report */ select report_event($1, $2, 'live', $3, null, null, $4)", [
    report.id,
    report.accountId,
    report.type,
    report.body,
  ]);
  notifyAfterCommit(tx, DELIVERIES_CHANNEL);
}
