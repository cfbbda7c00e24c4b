import type { Selectable } from "kysely";
import type { Database, Tx } from "../platform/database/database.ts";
import type { Schema } from "../platform/database/schema/schema.ts";

export type ToolSecretRow = Selectable<Schema["tool_secrets"]>;

/** The first of two concurrent ones is kept. */
export async function insertToolSecret(db: Database, accountId: string, sealed: Buffer): Promise<void> {
  await db
    .insertInto("tool_secrets")
    .values({ account_id: accountId, secret_sealed: sealed, previous_secret_sealed: null, previous_secret_until: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findToolSecret(db: Database, accountId: string): Promise<ToolSecretRow | null> {
  const row = await db.selectFrom("tool_secrets").selectAll().where("account_id", "=", accountId).executeTakeFirst();
  return row ?? null;
}

export async function lockToolSecret(tx: Tx, accountId: string): Promise<ToolSecretRow> {
  return tx
    .selectFrom("tool_secrets")
    .selectAll()
    .where("account_id", "=", accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function replaceToolSecret(tx: Tx, { account_id: accountId, ...set }: ToolSecretRow): Promise<void> {
  await tx.updateTable("tool_secrets").set(set).where("account_id", "=", accountId).execute();
}
