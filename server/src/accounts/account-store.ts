import type { Pronunciation } from "@parley/contract/pronunciations";
import type { Role } from "@parley/contract/scopes";
import { MODES } from "@parley/contract/shared-fields";
import { type Database, run, type Tx } from "../platform/database/database.ts";

// Any number that is not used by another of our locks.
const FIRST_ACCOUNT_LOCK_ID = 7_275_540;

/** Blocks every other process that creates the first account until this transaction ends. */
export async function lockFirstAccount(tx: Tx): Promise<void> {
  await run(tx, "select pg_advisory_xact_lock($1)", [FIRST_ACCOUNT_LOCK_ID]);
}

export async function hasAnyAccount(db: Database): Promise<boolean> {
  return (await db.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) !== undefined;
}

export async function insertAccount(tx: Tx, account: { id: string; name: string }): Promise<void> {
  await tx.insertInto("accounts").values({ id: account.id, name: account.name }).execute();
  await tx
    .insertInto("dispatch_lanes")
    .values(MODES.map((mode) => ({ account_id: account.id, mode })))
    .execute();
}

/** Serializes changes to an account's members and settings. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.selectFrom("accounts").select("id").where("id", "=", accountId).forNoKeyUpdate().execute();
}

export interface MeRow {
  readonly member_id: string;
  readonly email: string | null;
  readonly role: Role;
  readonly is_operator: boolean;
  readonly has_second_factor: boolean;
  readonly account_id: string;
  readonly account_name: string;
  readonly signed_in_at: Date;
}

/** Null when the sign-in has ended, or the member was removed. */
export async function readMeRow(db: Database, signInId: string): Promise<MeRow | null> {
  const row = await db
    .selectFrom("sign_ins as s")
    .innerJoin("members as m", "m.id", "s.member_id")
    .innerJoin("accounts as a", "a.id", "m.account_id")
    .select(["m.id as member_id", "m.email", "m.role", "m.is_operator", "a.id as account_id", "a.name as account_name"])
    .leftJoin("second_factors as f", (join) =>
      join.onRef("f.member_id", "=", "m.id").on("f.confirmed_at", "is not", null),
    )
    .select(["s.created_at as signed_in_at", (eb) => eb("f.member_id", "is not", null).as("has_second_factor")])
    .where("s.id", "=", signInId)
    .executeTakeFirst();
  return row ? { ...row, has_second_factor: Boolean(row.has_second_factor) } : null;
}

export interface SettingsRow {
  readonly daily_spend_cap_micros: bigint | null;
  readonly call_spend_cap_micros: bigint | null;
  readonly destination_spend_cap_micros: bigint | null;
  readonly credit_low_micros: bigint;
  readonly hours_start: string | null;
  readonly hours_end: string | null;
  readonly recording_retention_days: number | null;
  readonly call_retention_days: number | null;
  readonly transcript_retention_days: number | null;
  readonly disclosure: string | null;
  readonly pronunciations: Pronunciation[];
}

export async function readSettingsRow(db: Database, accountId: string): Promise<SettingsRow> {
  return db
    .selectFrom("accounts")
    .select([
      "daily_spend_cap_micros",
      "call_spend_cap_micros",
      "destination_spend_cap_micros",
      "credit_low_micros",
      "hours_start",
      "hours_end",
      "recording_retention_days",
      "call_retention_days",
      "transcript_retention_days",
      "disclosure",
      "pronunciations",
    ])
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
}

export async function updateSettings(tx: Tx, accountId: string, row: SettingsRow): Promise<void> {
  // The driver would send a list as an array of PostgreSQL.
  const pronunciations = JSON.stringify(row.pronunciations);
  await tx
    .updateTable("accounts")
    .set({ ...row, pronunciations })
    .where("id", "=", accountId)
    .execute();
}
