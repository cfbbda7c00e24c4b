import type { DeviceSignIn } from "@parley/contract/device-sign-in";
import type { Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import type { Selectable } from "kysely";
import type { Database, Tx } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/delete-in-batches.ts";
import type { Schema } from "../../platform/database/schema/schema.ts";

export type DeviceSignInRow = Selectable<Schema["device_sign_ins"]>;

export interface NewDeviceSignIn {
  readonly id: string;
  readonly deviceCodeDigest: Buffer;
  readonly userCode: string;
  readonly client: string;
  readonly ip: string;
  readonly expiresAt: Date;
}

/** False if the user code is taken. */
export async function insertDeviceSignIn(db: Database, entry: NewDeviceSignIn): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("device_sign_ins")
    .values({
      id: entry.id,
      device_code_digest: entry.deviceCodeDigest,
      user_code: entry.userCode,
      client: entry.client,
      ip: entry.ip,
      expires_at: entry.expiresAt,
    })
    .onConflict((conflict) => conflict.column("user_code").doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** One that waits or was approved, and has not expired. */
export async function lockOpenSignIn(tx: Tx, userCode: string, now: Date): Promise<DeviceSignInRow | null> {
  const row = await tx
    .selectFrom("device_sign_ins")
    .selectAll()
    .where("user_code", "=", userCode)
    .where("is_denied", "=", false)
    .where("expires_at", ">", now)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function lockSignInOfDevice(tx: Tx, deviceCodeDigest: Buffer): Promise<DeviceSignInRow | null> {
  const row = await tx
    .selectFrom("device_sign_ins")
    .selectAll()
    .where("device_code_digest", "=", deviceCodeDigest)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export interface Approval {
  readonly accountId: string;
  readonly memberId: string;
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
}

export async function writeApproval(tx: Tx, id: string, approval: Approval): Promise<void> {
  await tx
    .updateTable("device_sign_ins")
    .set({
      account_id: approval.accountId,
      member_id: approval.memberId,
      mode: approval.mode,
      scopes: [...approval.scopes],
    })
    .where("id", "=", id)
    .execute();
}

export async function writeDenial(tx: Tx, id: string): Promise<void> {
  await tx.updateTable("device_sign_ins").set({ is_denied: true }).where("id", "=", id).execute();
}

export async function deleteSignIn(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("device_sign_ins").where("id", "=", id).execute();
}

/** A day later, so that a command line that asks late learns that its code has expired. */
export async function deleteDeadDeviceSignIns(db: Database): Promise<void> {
  const where = "expires_at < clock_timestamp() - interval '1 day'";
  await deleteInBatches(db, { table: "device_sign_ins", where });
}

export function toDeviceSignIn(row: DeviceSignInRow): DeviceSignIn {
  return {
    userCode: formatUserCode(row.user_code),
    client: row.client,
    ip: row.ip,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    isApproved: row.account_id !== null,
  };
}

/** As people read it. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
