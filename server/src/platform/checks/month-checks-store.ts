import type { InvariantCheck } from "./invariant-check.ts";

const TABLES = ["call_events", "recording_peaks", "transcript_items", "transcript_revisions"] as const;

/** The invariants of the tables that are split by month. */
export const MONTH_CHECKS: readonly InvariantCheck[] = [
  {
    name: "rows_are_in_a_month",
    promise: "Every row of a table that is split by month is in the partition of a month.",
    sql: TABLES.map(
      (table) => `
      select call_id as subject, 'has ' || count(*) || ' rows of ${table} that are in no month' as detail
      from ${table}_default group by call_id`,
    ).join(" union all "),
  },
  {
    // What removed calls left in a month that leaves as a whole belongs to no call any more.
    name: "rows_belong_to_calls",
    promise:
      "Events, transcripts and drawings belong to a call that exists, unless their month is about to be dropped.",
    sql: TABLES.map(
      (table) => `
      select r.call_id as subject, 'does not exist and has ' || count(*) || ' rows of ${table}' as detail
      from ${table} r
      where not exists (select 1 from calls c where c.id = r.call_id)
        and not exists (select 1 from leaving_months m where r.call_id >= m.lower_id and r.call_id < m.upper_id)
      group by r.call_id`,
    ).join(" union all "),
  },
];
