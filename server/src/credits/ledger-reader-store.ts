import type { LedgerKind } from "@parley/contract/credits";
import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run } from "../database/database.ts";

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

/** Where the account stands in this mode: money, limits and what is under way, as of one moment. */
export async function readAccountStanding(db: Database, accountId: string, mode: Mode): Promise<AccountStanding> {
  const [row] = await run<AccountStanding>(
    db,
    `/* read_account_standing */ select a.name, a.created_at, a.daily_spend_cap_micros, b.available_micros, b.held_micros,
       l.concurrency_max, l.calls_per_second, l.queued_max, l.active_count,
       (select count(*)::int from calls c
         where c.account_id = a.id and c.mode = l.mode and c.state = 'queued') as queued_count,
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
  readonly note: string;
  readonly available_micros: bigint;
  readonly held_micros: bigint;
}

/** Newest first. */
export async function listLedgerRows(
  db: Database,
  accountId: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  rowsMax: number,
): Promise<LedgerRow[]> {
  let query = db
    .selectFrom("ledger_transfers")
    .select(["id", "kind", "created_at", "call_id", "note", "available_micros", "held_micros"])
    .where("account_id", "=", accountId);
  if (after) {
    query = query.where((eb) => eb(eb.refTuple("created_at", "id"), "<", eb.tuple(after.createdAt, after.id)));
  }
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(rowsMax).execute();
}
