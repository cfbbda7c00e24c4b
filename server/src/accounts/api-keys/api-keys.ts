import type { ApiKey } from "@parley/contract/api-keys";
import { AppError, invalidField } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import { formatUsd } from "@parley/contract/money";
import { SCOPES, type Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Tx } from "../../platform/database/database.ts";
import { isAddressAllowed } from "../../platform/http/authenticate.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { type ApiKeyRow, countApiKeysAlone, insertApiKey, markApiKeyRevoked, readApiKeyRow } from "./api-key-store.ts";
import { describeKey, makeApiKey } from "./key-format.ts";

const API_KEYS_MAX = 50;

export interface ApiKeyInput {
  readonly accountId: string;
  readonly name: string;
  readonly mode: Mode;
  /** Default: all. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly expiresAt?: Date | null;
  readonly allowedIps?: readonly string[] | undefined;
  readonly dailySpendCapMicros?: bigint | null;
  /** The member who created it, or null for the operator's command line and the first start. */
  readonly createdBy: string | null;
  /** The actor, as named in the audit log. */
  readonly actor: string;
  readonly ip: string | null;
  readonly client: string | null;
}

/** Creates a key. Its text is returned only here. */
export async function createApiKey(
  tx: Tx,
  secrets: Pick<Secrets, "digest">,
  input: ApiKeyInput,
  nowMs: number,
): Promise<{ id: string; key: string }> {
  if (input.expiresAt && input.expiresAt.getTime() <= nowMs) {
    throw invalidField("expiresAt", "in_the_past", "expiresAt must lie in the future.");
  }
  refuseUselessRanges(input.allowedIps ?? []);
  if ((await countApiKeysAlone(tx, input.accountId)) >= API_KEYS_MAX) {
    throw new AppError("invalid_state", `An account has at most ${API_KEYS_MAX} keys; revoke one first.`);
  }
  const id = makeId("apiKey");
  const key = makeApiKey(input.mode);
  const wanted = new Set(input.scopes ?? SCOPES);
  const scopes = SCOPES.filter((scope) => wanted.has(scope));
  const { prefix, lastFour } = describeKey(key);
  await insertApiKey(tx, {
    id,
    accountId: input.accountId,
    mode: input.mode,
    name: input.name,
    prefix,
    lastFour,
    digest: secrets.digest(key),
    scopes,
    allowedIps: [...new Set(input.allowedIps ?? [])],
    dailySpendCapMicros: input.dailySpendCapMicros ?? null,
    createdBy: input.createdBy,
    expiresAt: input.expiresAt ?? null,
  });
  await recordAudit(tx, {
    accountId: input.accountId,
    actor: input.actor,
    action: "api_key.created",
    target: id,
    ip: input.ip,
    client: input.client,
    data: { name: input.name, mode: input.mode, scopes },
  });
  return { id, key };
}

/** A range that does not even hold its own address could never let anyone in. */
function refuseUselessRanges(ranges: readonly string[]): void {
  ranges.forEach((range, index) => {
    if (holdsItself(range)) return;
    const param = `allowedIps[${index}]`;
    throw invalidField(param, "wrong_format", `${param} must be an IP address or a CIDR range.`);
  });
}

function holdsItself(range: string): boolean {
  try {
    return isAddressAllowed(range.split("/")[0] ?? "", [range]);
  } catch {
    return false;
  }
}

export interface Revocation {
  readonly accountId: string;
  readonly keyId: string;
  readonly actor: string;
  readonly ip: string | null;
  readonly client: string | null;
}

/** Revokes a key permanently. Every process is notified when the transaction commits. Idempotent. */
export async function revokeApiKey(tx: Tx, revocation: Revocation): Promise<ApiKey> {
  const { accountId, keyId, actor, ip, client } = revocation;
  const isNew = await markApiKeyRevoked(tx, accountId, keyId);
  const row = await readApiKeyRow(tx, accountId, keyId);
  if (!row) throw new AppError("not_found", "The account has no such key.");
  if (isNew) {
    await recordAudit(tx, {
      accountId,
      actor,
      action: "api_key.revoked",
      target: keyId,
      ip,
      client,
      data: { name: row.name, mode: row.mode },
    });
  }
  return toApiKey(row);
}

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
