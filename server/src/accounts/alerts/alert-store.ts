import type { Alert, AlertCause, AlertRules, AlertType } from "@parley/contract/alerts";
import type { Mode } from "@parley/contract/shared-fields";
import type { Selectable } from "kysely";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";
import type { Schema } from "../../platform/database/schema/schema.ts";

export type AlertRulesRow = Selectable<Schema["alert_rules"]>;
export type AlertRow = Selectable<Schema["alerts"]>;

export async function findRules(db: Database, accountId: string, mode: Mode): Promise<AlertRulesRow | null> {
  return (await ofAccount(db, accountId, mode).executeTakeFirst()) ?? null;
}

/** Locked until the transaction ends, so that a rule is not changed while it is judged. */
export async function lockRules(tx: Tx, accountId: string, mode: Mode): Promise<AlertRulesRow | null> {
  return (await ofAccount(tx, accountId, mode).forUpdate().executeTakeFirst()) ?? null;
}

function ofAccount(db: Database, accountId: string, mode: Mode) {
  return db.selectFrom("alert_rules").selectAll().where("account_id", "=", accountId).where("mode", "=", mode);
}

export async function writeRules(tx: Tx, accountId: string, rules: AlertRules): Promise<void> {
  await run(
    tx,
    `/* write_alert_rules */ insert into alert_rules
       (account_id, mode, answer_rate, incidents, credit_low, quiet_minutes, email_owners)
     values ($1, $2, $3::jsonb, $4::jsonb, $5, $6, $7)
     on conflict (account_id, mode) do update set answer_rate = excluded.answer_rate, incidents = excluded.incidents,
       credit_low = excluded.credit_low, quiet_minutes = excluded.quiet_minutes, email_owners = excluded.email_owners,
       updated_at = clock_timestamp()`,
    [
      accountId,
      rules.mode,
      rules.answerRate && JSON.stringify(rules.answerRate),
      rules.incidents && JSON.stringify(rules.incidents),
      rules.creditLow,
      rules.quietMinutes,
      rules.emailOwners,
    ],
  );
}

type WatchedAccount = Pick<AlertRulesRow, "account_id" | "mode">;

/** The accounts whose figures are compared, in order: those with a rule, and those whose last rule was removed during an alert. */
export async function listWatched(
  db: Database,
  after: WatchedAccount | null,
  limit: number,
): Promise<readonly WatchedAccount[]> {
  return run<WatchedAccount>(
    db,
    `/* list_watched_accounts */ select account_id, mode from alert_rules r
     where ($1::text is null or (account_id, mode) > ($1, $2::text))
       and (answer_rate is not null or incidents is not null or credit_low or exists (
         select from alerts a where a.account_id = r.account_id and a.mode = r.mode and a.resolved_at is null))
     order by account_id, mode limit $3`,
    [after?.account_id ?? null, after?.mode ?? null, limit],
  );
}

export interface CountedCalls {
  readonly calls: number;
  readonly answered: number;
  readonly incidents: number;
}

/** Ended calls that were requested since the start of an hour. */
export async function countCallsSince(tx: Tx, accountId: string, mode: Mode, from: Date): Promise<CountedCalls> {
  const [counted] = await run<CountedCalls>(
    tx,
    `/* count_calls_since */ select coalesce(sum(calls), 0)::int as calls, coalesce(sum(answered), 0)::int as answered,
       coalesce(sum(incidents), 0)::int as incidents
     from usage_hours where account_id = $1 and mode = $2 and hour_at >= $3`,
    [accountId, mode, from],
  );
  if (!counted) throw new Error("a sum without groups has one row");
  return counted;
}

export async function readCredit(
  tx: Tx,
  accountId: string,
): Promise<{ readonly balanceMicros: bigint; readonly lowMicros: bigint } | null> {
  const [row] = await run<{ balanceMicros: bigint; lowMicros: bigint }>(
    tx,
    `/* read_credit_for_alerts */ select b.available_micros as "balanceMicros", a.credit_low_micros as "lowMicros"
     from accounts a join account_balances b on b.account_id = a.id where a.id = $1`,
    [accountId],
  );
  return row ?? null;
}

/** The latest alert of each type. */
export async function readLatestAlerts(tx: Tx, accountId: string, mode: Mode): Promise<readonly AlertRow[]> {
  return run<AlertRow>(
    tx,
    `/* read_latest_alerts */ select distinct on (type) * from alerts where account_id = $1 and mode = $2
     order by type, raised_at desc, id desc`,
    [accountId, mode],
  );
}

interface NewAlert {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly cause: AlertCause;
  readonly raisedAt: Date;
}

export async function insertAlert(tx: Tx, alert: NewAlert): Promise<AlertRow> {
  const { id, accountId, mode, cause, raisedAt } = alert;
  const [row] = await run<AlertRow>(
    tx,
    `/* insert_alert */ insert into alerts (id, account_id, mode, type, cause, raised_at)
     values ($1, $2, $3, $4, $5::jsonb, $6) returning *`,
    [id, accountId, mode, cause.type satisfies AlertType, JSON.stringify(cause), raisedAt],
  );
  if (!row) throw new Error("an inserted row is returned");
  return row;
}

export async function resolveAlert(tx: Tx, id: string, at: Date): Promise<AlertRow> {
  const [row] = await run<AlertRow>(
    tx,
    "/* resolve_alert */ update alerts set resolved_at = $2 where id = $1 returning *",
    [id, at],
  );
  if (!row) throw new Error(`alert ${id} is gone`);
  return row;
}

/** Ids sort by time, so the newest comes first. */
export async function listAlertRows(
  db: Database,
  accountId: string,
  mode: Mode,
  afterId: string | null,
  limit: number,
): Promise<AlertRow[]> {
  let query = db.selectFrom("alerts").selectAll().where("account_id", "=", accountId).where("mode", "=", mode);
  if (afterId) query = query.where("id", "<", afterId);
  return query.orderBy("id", "desc").limit(limit).execute();
}

/** Alerts are listed for a year. */
export async function forgetOldAlerts(db: Database): Promise<void> {
  const where = "raised_at < clock_timestamp() - interval '1 year' and resolved_at is not null";
  await deleteInBatches(db, { table: "alerts", where });
}

export function toAlert({ id, mode, cause, raised_at, resolved_at }: AlertRow): Alert {
  return {
    id,
    mode,
    cause,
    raisedAt: raised_at.toISOString(),
    resolvedAt: resolved_at?.toISOString() ?? null,
  };
}
