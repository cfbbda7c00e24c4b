import type { Selectable } from "kysely";
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

/** Whoever was asked first is a fallback from now on, unless it is the one named. */
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
