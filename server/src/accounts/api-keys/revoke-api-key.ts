import type { ApiKey } from "@parley/contract/api-keys";
import { AppError } from "@parley/contract/errors";
import type { Tx } from "../../platform/database/database.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { markApiKeyRevoked, readApiKeyRow } from "./api-key-store.ts";
import { toApiKey } from "./to-api-key.ts";

export interface Revocation {
  readonly accountId: string;
  readonly keyId: string;
  readonly actor: string;
  readonly ip: string | null;
  readonly client: string | null;
}

/** Revokes a key for good. Every process is told when the transaction commits; a second time changes nothing. */
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
