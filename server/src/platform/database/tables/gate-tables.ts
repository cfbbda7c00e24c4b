import type { Time } from "./column-types.ts";

/** Who may be called, and how often they were. */
export interface GateTables {
  gate_rules: {
    account_id: string | null;
    countries: string[] | null;
    rate_max_micros: bigint | null;
    calls_per_number_and_day: number | null;
    calls_per_range_and_hour: number | null;
    calls_per_country_and_hour: number | null;
    hours_start: string | null;
    hours_end: string | null;
    may_ignore_hours: boolean | null;
  };
  gate_counts: {
    account_id: string;
    kind: "number" | "range" | "country";
    subject: string;
    window_start: Time;
    calls: number;
  };
}
