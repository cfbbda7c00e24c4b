import type { InvariantCheck } from "./invariant-check.ts";

const HOLDS = "('hold', 'hold_extended')";
const SETTLEMENTS = "('settled', 'released')";

/** Calls that ended earlier may have been removed. A transfer may follow the end of its call by some time. */
const COMPARABLE_FROM = "a.calls_removed_before + interval '1 day'";

/** What must hold of the ledger, of balances and of what calls cost. Amounts are in micro-USD. */
export const MONEY_CHECKS: readonly InvariantCheck[] = [
  {
    name: "transfers_sum_to_zero",
    promise: "Every transfer takes from somewhere what it puts elsewhere.",
    sql: `
      select id as subject, kind || ' sums to ' || available_micros + held_micros + earned_micros + funded_micros as detail
      from ledger_transfers where available_micros + held_micros + earned_micros + funded_micros <> 0`,
  },
  {
    name: "balances_equal_transfers",
    promise: "Each account's balance is the sum of its transfers.",
    sql: `
      with moved as (
        select account_id, sum(available_micros) as available, sum(held_micros) as held from ledger_transfers group by account_id
      )
      select a.id as subject, case when b.account_id is null then 'has no balance'
        else 'has ' || b.available_micros || ' and ' || b.held_micros || ' held; its transfers sum to ' ||
          coalesce(m.available, 0) || ' and ' || coalesce(m.held, 0) end as detail
      from accounts a
      left join account_balances b on b.account_id = a.id
      left join moved m on m.account_id = a.id
      where b.account_id is null or b.available_micros <> coalesce(m.available, 0) or b.held_micros <> coalesce(m.held, 0)`,
  },
  {
    name: "balances_are_never_negative",
    promise: "No balance is below zero.",
    sql: `
      select account_id as subject, 'has ' || available_micros || ' and ' || held_micros || ' held' as detail
      from account_balances where available_micros < 0 or held_micros < 0`,
  },
  {
    name: "held_credit_is_held_for_calls",
    promise: "What an account has held is what its unfinished calls hold.",
    sql: `
      with unfinished as (
        select account_id, sum(held_micros) as held from calls where state <> 'ended' group by account_id
      )
      select b.account_id as subject, 'has ' || b.held_micros || ' held; its unfinished calls hold ' || coalesce(u.held, 0) as detail
      from account_balances b left join unfinished u on u.account_id = b.account_id
      where b.held_micros <> coalesce(u.held, 0)`,
  },
  {
    name: "holds_are_in_the_ledger",
    promise:
      "What was held for a call is in the ledger, and the ledger speaks only of calls that exist or were removed.",
    sql: `
      with held as (
        select call_id, min(account_id) as account_id, max(created_at) as last_at,
          sum(held_micros) filter (where kind in ${HOLDS}) as micros
        from ledger_transfers where call_id is not null group by call_id
      )
      select coalesce(c.id, h.call_id) as subject, case when c.id is null then 'has transfers, but there is no such call'
        else 'holds ' || c.held_micros || '; the ledger has ' || coalesce(h.micros, 0) end as detail
      from calls c full join held h on h.call_id = c.id left join accounts a on a.id = h.account_id
      where (c.id is null and not coalesce(h.last_at < ${COMPARABLE_FROM}, false)) or c.held_micros <> coalesce(h.micros, 0) or c.account_id <> h.account_id`,
  },
  {
    name: "holds_are_settled_once",
    promise:
      "An ended call with a hold has exactly one settlement, of the whole hold and at most that much; others have none.",
    sql: `
      select c.id as subject, 'is ' || c.state || ', held ' || c.held_micros || ', cost ' || coalesce(c.cost_micros::text, 'nothing known') ||
        ', settlements ' || count(t.id) || ' of ' || coalesce(-sum(t.held_micros), 0) || ' earning ' || coalesce(sum(t.earned_micros), 0) as detail
      from calls c left join ledger_transfers t on t.call_id = c.id and t.kind in ${SETTLEMENTS}
      group by c.account_id, c.id
      having count(t.id) <> (c.state = 'ended' and c.held_micros > 0)::int
        or -sum(t.held_micros) <> c.held_micros
        or sum(t.earned_micros) <> case when c.is_charged then coalesce(c.cost_micros, -1) else 0 end
        or (c.is_charged and c.cost_micros > c.held_micros)`,
  },
  {
    name: "unanswered_calls_are_free",
    promise: "An unanswered call costs nothing.",
    sql: `
      select id as subject, 'was not answered and cost ' || coalesce(cost_micros::text, 'an unknown amount') as detail
      from calls where state = 'ended' and answered_at is null and cost_micros is distinct from 0`,
  },
  {
    name: "test_calls_are_free",
    promise: "A test call holds nothing, costs nothing and leaves no trace in the ledger.",
    sql: `
      select c.id as subject, 'is a test call, held ' || c.held_micros || ', cost ' || coalesce(c.cost_micros, 0) || ', transfers ' || count(t.id) as detail
      from calls c left join ledger_transfers t on t.call_id = c.id
      where c.mode = 'test'
      group by c.account_id, c.id
      having c.held_micros <> 0 or coalesce(c.cost_micros, 0) <> 0 or count(t.id) > 0`,
  },
  {
    name: "days_add_up",
    promise:
      "What an account or a key has spent or set aside on a day is what its calls of that day say, until they are removed.",
    sql: `
      with said as (
        select spender_id, day, sum(micros) as micros
        from (
          select unnest(array[account_id, api_key_id]) as spender_id, held_on as day,
            case when state <> 'ended' then held_micros when is_charged then coalesce(cost_micros, 0) else 0 end as micros
          from calls where held_on is not null
        ) each_call
        where spender_id is not null group by spender_id, day
      )
      select coalesce(s.spender_id, said.spender_id) || ' on ' || coalesce(s.day, said.day) as subject,
        'counts ' || coalesce(s.micros, 0) || '; its calls say ' || coalesce(said.micros, 0) as detail
      from spend_days s full join said on said.spender_id = s.spender_id and said.day = s.day
      left join api_keys k on k.id = coalesce(s.spender_id, said.spender_id)
      left join accounts a on a.id = coalesce(k.account_id, s.spender_id, said.spender_id)
      where coalesce(coalesce(s.day, said.day) >= ${COMPARABLE_FROM}, true) and coalesce(s.micros, 0) <> coalesce(said.micros, 0)`,
  },
];
