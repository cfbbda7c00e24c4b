import type { Filled, FilledTime } from "./column-types.ts";

/** What a transfer between the books is for. */
export type TransferKind =
  | "sign_up_credit"
  | "credit_added"
  | "credit_removed"
  | "hold"
  | "hold_extended"
  | "settled"
  | "released";

/** What calls cost, and what accounts have. */
export interface CreditTables {
  account_balances: {
    account_id: string;
    available_micros: Filled<bigint>;
    held_micros: Filled<bigint>;
    was_low_told: Filled<boolean>;
  };
  ledger_transfers: {
    id: string;
    account_id: string;
    kind: TransferKind;
    call_id: string | null;
    note: Filled<string>;
    available_micros: Filled<bigint>;
    held_micros: Filled<bigint>;
    earned_micros: Filled<bigint>;
    funded_micros: Filled<bigint>;
    created_at: FilledTime;
  };
  spend_days: { spender_id: string; day: string; micros: bigint };
  rates: { prefix: string; per_minute_micros: bigint; description: Filled<string> };
  engine_rates: { engine: string; per_minute_micros: bigint };
}
