import type { Role, Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import type { ColumnType } from "kysely";
import type { Filled, FilledTime, Json, Time, TimeOrNull } from "./column-types.ts";

/** Who uses the service and how they get in. */
export interface AccountTables {
  accounts: {
    id: string;
    name: string;
    daily_spend_cap_micros: bigint | null;
    call_spend_cap_micros: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    destination_spend_cap_micros: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
    credit_low_micros: Filled<bigint>;
    hours_start: ColumnType<string | null, string | null | undefined, string | null>;
    hours_end: ColumnType<string | null, string | null | undefined, string | null>;
    recording_retention_days: ColumnType<number | null, number | null | undefined, number | null>;
    transcript_retention_days: ColumnType<number | null, number | null | undefined, number | null>;
    disclosure: ColumnType<string | null, string | null | undefined, string | null>;
    created_at: FilledTime;
  };
  members: {
    id: string;
    account_id: string;
    email: string | null;
    password_hash: string | null;
    role: Role;
    is_operator: Filled<boolean>;
    created_at: FilledTime;
  };
  sign_ins: {
    id: string;
    member_id: string;
    token_digest: Buffer;
    ip: string | null;
    client: string | null;
    created_at: FilledTime;
    last_seen_at: FilledTime;
    expires_at: Time;
  };
  second_factors: {
    member_id: string;
    secret_sealed: Buffer;
    confirmed_at: TimeOrNull;
    last_step: Filled<bigint>;
    created_at: FilledTime;
  };
  recovery_codes: { member_id: string; code_digest: Buffer; used_at: TimeOrNull };
  sign_in_challenges: { token_digest: Buffer; member_id: string; created_at: FilledTime; expires_at: Time };
  links: {
    id: string;
    kind: "claim" | "invite" | "reset";
    member_id: string;
    token_digest: Buffer;
    created_at: FilledTime;
    expires_at: Time;
    used_at: TimeOrNull;
  };
  failed_attempts: { subject: string; window_start: Time; failures: number };
  api_keys: {
    id: string;
    account_id: string;
    mode: Mode;
    name: string;
    prefix: string;
    last_four: string;
    digest: Buffer;
    scopes: Scope[];
    allowed_ips: Filled<string[]>;
    daily_spend_cap_micros: bigint | null;
    created_by: string | null;
    created_at: FilledTime;
    expires_at: TimeOrNull;
    last_used_at: TimeOrNull;
    revoked_at: TimeOrNull;
  };
  audit_log: {
    id: string;
    account_id: string | null;
    actor: string;
    action: string;
    target: string | null;
    ip: string | null;
    client: string | null;
    data: Json<Record<string, unknown>>;
    created_at: FilledTime;
  };
}
