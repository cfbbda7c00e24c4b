import type { LedgerKind } from "@parley/contract/credits";
import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run } from "../../platform/database/database.ts";

export interface AccountStanding {
  readonly name: string;
  readonly created_at: Date;
  readonly daily_spend_cap_micros: bigint | null;
  readonly available_micros: bigint;
  readonly held_micros: bigint;
  readonly concurrency_max: number;
  readonly calls_per_second: number;
  readonly queued_max: number;
  readonly active_count: number;
  readonly queued_count: number;
  readonly spent_today_micros: bigint;
}

/** The account's money, limits and live calls in this mode, as of one moment. */
export async function readAccountStanding(db: Database, accountId: string, mode: Mode): Promise<AccountStanding> {
  const [row] = await run<AccountStanding>(
    db,
    `/* read_account_standing */ select a.name, a.created_at, a.daily_spend_cap_micros, b.available_micros, b.held_micros,
       l.concurrency_max, l.calls_per_second, l.queued_max, l.active_count,
       (select coalesce(sum(q.calls), 0)::int from queued_counts q
         where q.account_id = a.id and q.mode = l.mode) as queued_count,
       coalesce((select s.micros from spend_days s
         where s.spender_id = a.id and s.day = (now() at time zone 'utc')::date), 0) as spent_today_micros
     from accounts a
     join account_balances b on b.account_id = a.id
     join dispatch_lanes l on l.account_id = a.id and l.mode = $2
     where a.id = $1`,
    [accountId, mode],
  );
  if (!row) throw new Error(`account ${accountId} has no balance or no ${mode} lane`);
  return row;
}

export interface LedgerRow {
  readonly id: string;
  readonly kind: LedgerKind;
  readonly created_at: Date;
  readonly call_id: string | null;
  readonly phone_number: string | null;
  readonly note: string;
  /** Credit added to the account, or, if negative, removed from it. */
  readonly amount_micros: bigint;
}

/**
 * The final movements, newest first. Holds are not entries: reserved credit still belongs to the account. A call is one
 * entry, of what it cost; a call that was released from its hold is one only where it is noted why it cost nothing.
 */
export async function listLedgerRows(
  db: Database,
  accountId: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  rowsMax: number,
): Promise<LedgerRow[]> {
  return run<LedgerRow>(
    db,
    `/* list_ledger */ select t.id, t.created_at, t.call_id, t.note, c.phone_number,
       case t.kind when 'settled' then 'call' when 'released' then 'call_not_charged' else t.kind end as kind,
       t.available_micros + t.held_micros as amount_micros
     from ledger_transfers t left join calls c on c.id = t.call_id
     where t.account_id = $1 and t.kind not in ('hold', 'hold_extended') and (t.kind <> 'released' or t.note <> '')
       and ($2::timestamptz is null or (t.created_at, t.id) < ($2, $3))
     order by t.created_at desc, t.id desc limit $4`,
    [accountId, after?.createdAt ?? null, after?.id ?? "", rowsMax],
  );
}
