import type { Mode } from "@parley/contract/shared-fields";
import type { Filled, FilledTime } from "./column-types.ts";

/** What is remembered of requests, so that they are neither done twice nor too often. */
export interface RequestTables {
  idempotency_records: {
    account_id: string;
    mode: Mode;
    method: string;
    path: string;
    idempotency_key: string;
    asked_by: Filled<string>;
    fingerprint: Buffer;
    status: number;
    body: string;
    created_at: FilledTime;
  };
  rate_windows: { bucket: string; window_start: bigint; granted: number; last_grant: number };
}
