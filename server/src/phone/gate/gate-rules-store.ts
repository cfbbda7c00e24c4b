import type { CallingHours } from "@parley/contract/gate";
import { type Database, run, type Tx } from "../../platform/database/database.ts";

export interface GateRulesRow {
  readonly countries: readonly string[] | null;
  readonly rate_max_micros: bigint | null;
  readonly calls_per_number_and_day: number | null;
  readonly calls_per_range_and_hour: number | null;
  readonly calls_per_country_and_hour: number | null;
  readonly hours_start: string | null;
  readonly hours_end: string | null;
  readonly may_ignore_hours: boolean | null;
}

export const NO_RULES: GateRulesRow = {
  countries: null,
  rate_max_micros: null,
  calls_per_number_and_day: null,
  calls_per_range_and_hour: null,
  calls_per_country_and_hour: null,
  hours_start: null,
  hours_end: null,
  may_ignore_hours: null,
};

const COLUMNS = Object.keys(NO_RULES).join(", ");

/** The rules of an account's own, or those of the installation; null when none were ever set. */
export async function readGateRules(db: Database, accountId: string | null): Promise<GateRulesRow | null> {
  const [row] = await run<GateRulesRow>(
    db,
    `/* read_gate_rules */ select ${COLUMNS} from gate_rules where coalesce(account_id, '') = coalesce($1, '')`,
    [accountId],
  );
  return row ?? null;
}

export async function putGateRules(tx: Tx, accountId: string | null, rules: GateRulesRow): Promise<void> {
  await run(
    tx,
    `insert into gate_rules (account_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (coalesce(account_id, '')) do update set
       ${Object.keys(NO_RULES)
         .map((name) => `${name} = excluded.${name}`)
         .join(", ")}`,
    [
      accountId,
      rules.countries,
      rules.rate_max_micros,
      rules.calls_per_number_and_day,
      rules.calls_per_range_and_hour,
      rules.calls_per_country_and_hour,
      rules.hours_start,
      rules.hours_end,
      rules.may_ignore_hours,
    ],
  );
}

/** Countries with rates above a price, by the country that the description of a rate begins with. */
export async function readCountriesAbove(
  db: Database,
  micros: bigint,
): Promise<{ readonly country: string; readonly wholly: boolean }[]> {
  return run(
    db,
    `/* read_countries_above */ select left(description, 2) as country, min(per_minute_micros) > $1 as wholly
     from rates where description ~ '^[A-Z]{2}( |$)'
     group by 1 having max(per_minute_micros) > $1 order by 1`,
    [micros],
  );
}

/** What holds for an account: its own rules where it has them, else the installation's. */
export interface RulesInForce extends GateRulesRow {
  /** The hours of the installation, the account's gate and the account's own settings: all of them hold. */
  readonly all_hours: readonly (CallingHours | null)[];
}

interface InForceRow extends GateRulesRow {
  readonly installation_start: string | null;
  readonly installation_end: string | null;
  readonly settings_start: string | null;
  readonly settings_end: string | null;
}

const READ_IN_FORCE = `/* read_rules_in_force */
  select coalesce(own.countries, base.countries) as countries,
    coalesce(own.rate_max_micros, base.rate_max_micros) as rate_max_micros,
    coalesce(own.calls_per_number_and_day, base.calls_per_number_and_day) as calls_per_number_and_day,
    coalesce(own.calls_per_range_and_hour, base.calls_per_range_and_hour) as calls_per_range_and_hour,
    coalesce(own.calls_per_country_and_hour, base.calls_per_country_and_hour) as calls_per_country_and_hour,
    coalesce(own.may_ignore_hours, base.may_ignore_hours) as may_ignore_hours,
    own.hours_start, own.hours_end, base.hours_start as installation_start, base.hours_end as installation_end,
    a.hours_start as settings_start, a.hours_end as settings_end
  from accounts a
  left join gate_rules own on coalesce(own.account_id, '') = a.id
  left join gate_rules base on coalesce(base.account_id, '') = ''
  where a.id = $1`;

export async function readRulesInForce(db: Database, accountId: string): Promise<RulesInForce> {
  const [row] = await run<InForceRow>(db, READ_IN_FORCE, [accountId]);
  if (!row) throw new Error(`there is no account ${accountId}`);
  const own = hoursOf(row.hours_start, row.hours_end);
  return {
    ...row,
    all_hours: [
      // An account's own calling hours replace those of the installation.
      own ?? hoursOf(row.installation_start, row.installation_end),
      hoursOf(row.settings_start, row.settings_end),
    ],
  };
}

export function hoursOf(start: string | null, end: string | null): CallingHours | null {
  return start === null || end === null ? null : { start, end };
}

export async function accountExists(db: Database, accountId: string): Promise<boolean> {
  return (await run(db, "select 1 from accounts where id = $1", [accountId])).length > 0;
}
