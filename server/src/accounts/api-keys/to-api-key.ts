import type { ApiKey } from "@parley/contract/api-keys";
import { formatUsd } from "@parley/contract/money";
import type { ApiKeyRow } from "./api-key-store.ts";

/** A key as the API shows it: never the key itself. */
export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    prefix: row.prefix,
    lastFour: row.last_four,
    scopes: row.scopes,
    expiresAt: row.expires_at?.toISOString() ?? null,
    allowedIps: row.allowed_ips,
    dailySpendCap: row.daily_spend_cap_micros === null ? null : formatUsd(row.daily_spend_cap_micros),
    createdBy: row.created_by_email,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
