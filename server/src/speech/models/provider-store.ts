import type { ProviderUse } from "@parley/contract/providers";
import type { Selectable } from "kysely";
import { UnreadableSecret } from "../../platform/config/sealed-text.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema/schema.ts";

export type ProviderRow = Selectable<Schema["model_providers"]>;
export type ProviderColumns = Omit<ProviderRow, "name" | "created_at" | "updated_at">;

export async function readProviderRows(db: Database): Promise<ProviderRow[]> {
  return db.selectFrom("model_providers").selectAll().orderBy("name").execute();
}

export async function lockProviderRow(tx: Tx, name: string): Promise<ProviderRow | null> {
  const row = await tx
    .selectFrom("model_providers")
    .selectAll()
    .where("name", "=", name)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The previous first provider becomes a fallback, unless it is the named one. */
export async function makeRoomForFirst(tx: Tx, name: string): Promise<void> {
  await tx
    .updateTable("model_providers")
    .set({ use: "fallback" })
    .where("use", "=", "first")
    .where("name", "<>", name)
    .execute();
}

/** Returns whether there was none of this name. */
export async function insertProviderRow(tx: Tx, name: string, columns: ProviderColumns): Promise<boolean> {
  const inserted = await tx
    .insertInto("model_providers")
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .execute();
  return inserted.length > 0;
}

export async function updateProviderRow(tx: Tx, name: string, columns: ProviderColumns): Promise<void> {
  await tx
    .updateTable("model_providers")
    .set(columns)
    .set((eb) => ({ updated_at: eb.fn<Date>("clock_timestamp") }))
    .where("name", "=", name)
    .execute();
}

/** Returns whether there was one. */
export async function deleteProviderRow(tx: Tx, name: string): Promise<boolean> {
  const deleted = await tx.deleteFrom("model_providers").where("name", "=", name).returning("name").execute();
  return deleted.length > 0;
}

/** What an operator set of a provider, with its key as it is sent. */
export interface StoredProvider {
  readonly name: string;
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
  readonly model: string | null;
  readonly use: ProviderUse;
  /** Why its key cannot be decrypted, for the operator. Then it is not used. */
  readonly trouble: string | null;
}

/** The place of a key for its encryption: it can be decrypted only there. */
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
