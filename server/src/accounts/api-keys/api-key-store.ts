import type { Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run, type Tx } from "../../platform/database/database.ts";

/** A key as lists show it. */
export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly mode: Mode;
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: Scope[];
  readonly allowed_ips: string[];
  readonly daily_spend_cap_micros: bigint | null;
  readonly created_by_email: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** A key as requests are let through by it. */
export interface FoundKey {
  readonly id: string;
  readonly account_id: string;
  readonly mode: Mode;
  readonly digest: Buffer;
  readonly scopes: Scope[];
  readonly allowed_ips: string[];
  readonly daily_spend_cap_micros: bigint | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

export interface ApiKeyInsert {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly digest: Buffer;
  readonly scopes: readonly Scope[];
  readonly allowedIps: readonly string[];
  readonly dailySpendCapMicros: bigint | null;
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
}

const FIND = `/* find_api_key */
  select id, account_id, mode, digest, scopes, allowed_ips, daily_spend_cap_micros, expires_at, revoked_at
  from api_keys where digest = $1`;

/** Every request by key runs this, at most once a second per key and process. */
export async function findApiKeyByDigest(db: Database, digest: Buffer): Promise<FoundKey | null> {
  const [row] = await run<FoundKey>(db, FIND, [digest]);
  return row ?? null;
}

/** Counts the keys that are not revoked, and blocks other transactions that count them until this one ends. */
export async function countApiKeysAlone(tx: Tx, accountId: string): Promise<number> {
  await tx.selectFrom("accounts").select("id").where("id", "=", accountId).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom("api_keys")
    .select((eb) => eb.fn.countAll<bigint>().as("count"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertApiKey(tx: Tx, key: ApiKeyInsert): Promise<void> {
  await tx
    .insertInto("api_keys")
    .values({
      id: key.id,
      account_id: key.accountId,
      mode: key.mode,
      name: key.name,
      prefix: key.prefix,
      last_four: key.lastFour,
      digest: key.digest,
      scopes: [...key.scopes],
      allowed_ips: [...key.allowedIps],
      daily_spend_cap_micros: key.dailySpendCapMicros,
      created_by: key.createdBy,
      expires_at: key.expiresAt,
    })
    .execute();
}

export interface KeyPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** The account's keys, newest first, revoked ones too. */
export async function listApiKeyRows(
  db: Database,
  accountId: string,
  limit: number,
  after: KeyPosition | null,
): Promise<ApiKeyRow[]> {
  let query = selectApiKeys(db)
    .where("k.account_id", "=", accountId)
    .orderBy("k.created_at", "desc")
    .orderBy("k.id", "desc")
    .limit(limit);
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple("k.created_at", "k.id"), "<", eb.tuple(eb.val(after.createdAt), eb.val(after.id))),
    );
  }
  return query.execute();
}

export async function readApiKeyRow(db: Database, accountId: string, id: string): Promise<ApiKeyRow | null> {
  const row = await selectApiKeys(db).where("k.account_id", "=", accountId).where("k.id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** Revokes a key; false when it does not exist in this account or was revoked before. */
export async function markApiKeyRevoked(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await run<{ id: string }>(
    tx,
    `update api_keys set revoked_at = clock_timestamp()
     where account_id = $1 and id = $2 and revoked_at is null returning id`,
    [accountId, id],
  );
  return rows.length > 0;
}

/** Writes when keys were last used, many in one statement. A later use that is already there stays. */
export async function touchApiKeys(db: Database, uses: ReadonlyMap<string, number>): Promise<void> {
  await run(
    db,
    `/* touch_api_keys */ update api_keys k set last_used_at = greatest(k.last_used_at, used.at)
     from unnest($1::text[], $2::timestamptz[]) as used(id, at) where k.id = used.id`,
    [[...uses.keys()], [...uses.values()].map((ms) => new Date(ms))],
  );
}

function selectApiKeys(db: Database) {
  return db
    .selectFrom("api_keys as k")
    .leftJoin("members as m", "m.id", "k.created_by")
    .select([
      "k.id",
      "k.name",
      "k.mode",
      "k.prefix",
      "k.last_four",
      "k.scopes",
      "k.allowed_ips",
      "k.daily_spend_cap_micros",
      "m.email as created_by_email",
      "k.created_at",
      "k.expires_at",
      "k.last_used_at",
      "k.revoked_at",
    ]);
}
