import type { ProviderUse } from "@parley/contract/providers";
import { UnreadableSecret } from "../../platform/config/sealed-text.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import type { ProviderRow } from "./provider-store.ts";

/** What an operator set of a provider, with its key as it is sent. */
export interface StoredProvider {
  readonly name: string;
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
  readonly model: string | null;
  readonly use: ProviderUse;
  /** Why its key cannot be read, in words for the operator. Then it is not asked. */
  readonly trouble: string | null;
}

/** Where a key stands, as its encryption is told: it can be read nowhere else. */
export function keyPlace(name: string): string {
  return `model_providers/${name}/api_key`;
}

export function readStoredProvider(row: ProviderRow, secrets: Pick<Secrets, "open">): StoredProvider {
  const { name, base_url: baseUrl, model, use } = row;
  const plain = { name, baseUrl, model, use };
  try {
    const apiKey = row.api_key_sealed === null ? null : secrets.open(row.api_key_sealed, keyPlace(name));
    return { ...plain, apiKey, trouble: null };
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    return { ...plain, apiKey: null, trouble: error.message };
  }
}
