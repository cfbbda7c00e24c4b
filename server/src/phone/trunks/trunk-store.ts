import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { ManagedBy } from "../../platform/database/schema/schema.ts";
import type { TrunkColumns, TrunkLimits, TrunkRow } from "./trunk-record.ts";

/** The constraint that a second trunk of the same name violates. */
export const TRUNK_NAME_TAKEN = "trunks_by_name";

export interface StoredTrunk {
  readonly id: string;
  readonly managedBy: ManagedBy;
  readonly columns: TrunkColumns;
  readonly limits: TrunkLimits;
  /** If omitted, it is unchanged. */
  readonly passwordSealed?: Buffer | null;
}

/** Throws a violation of `TRUNK_NAME_TAKEN` when another trunk has the name. */
export async function insertTrunk(tx: Tx, trunk: StoredTrunk): Promise<void> {
  await tx
    .insertInto("trunks")
    .values({
      id: trunk.id,
      managed_by: trunk.managedBy,
      ...trunk.columns,
      password_sealed: trunk.passwordSealed ?? null,
    })
    .execute();
  await tx
    .insertInto("trunk_channels")
    .values({ trunk_id: trunk.id, ...trunk.limits })
    .execute();
}

/** Throws a violation of `TRUNK_NAME_TAKEN` when another trunk has the name. */
export async function updateTrunk(tx: Tx, trunk: StoredTrunk): Promise<void> {
  await tx
    .updateTable("trunks")
    .set({
      managed_by: trunk.managedBy,
      ...trunk.columns,
      ...(trunk.passwordSealed === undefined ? {} : { password_sealed: trunk.passwordSealed }),
    })
    .set((eb) => ({ updated_at: eb.fn<Date>("clock_timestamp") }))
    .where("id", "=", trunk.id)
    .execute();
  await tx.updateTable("trunk_channels").set(trunk.limits).where("trunk_id", "=", trunk.id).execute();
}

/** Ids sort by time, so the newest trunk comes first. */
export async function listTrunkRows(db: Database, limit: number, afterId: string | null): Promise<TrunkRow[]> {
  let query = selectTrunks(db).orderBy("t.id", "desc").limit(limit);
  if (afterId) query = query.where("t.id", "<", afterId);
  return query.execute();
}

export async function readAllTrunkRows(db: Database): Promise<TrunkRow[]> {
  return selectTrunks(db).orderBy("t.id").execute();
}

export async function readTrunkRow(db: Database, trunkId: string): Promise<TrunkRow | null> {
  return (await selectTrunks(db).where("t.id", "=", trunkId).executeTakeFirst()) ?? null;
}

/** Names are case-insensitive. */
export async function findTrunkNamed(db: Database, name: string): Promise<TrunkRow | null> {
  const row = await selectTrunks(db)
    .where((eb) => eb(eb.fn("lower", ["t.name"]), "=", eb.fn("lower", [eb.val(name)])))
    .executeTakeFirst();
  return row ?? null;
}

/** Locks the trunk and its count of calls: no call begins on it, and nothing else changes it, until the transaction ends. */
export async function lockTrunk(tx: Tx, trunkId: string): Promise<TrunkRow | null> {
  return (await selectTrunks(tx).where("t.id", "=", trunkId).forUpdate().executeTakeFirst()) ?? null;
}

/** Locks only the trunk: calls can still start and end. */
export async function lockTrunkSettings(tx: Tx, trunkId: string): Promise<TrunkRow | null> {
  return (await selectTrunks(tx).where("t.id", "=", trunkId).forUpdate("t").executeTakeFirst()) ?? null;
}

// Any number that is not used by another of our locks.
const CONFIGURATION_LOCK_ID = 7_275_540;

/** Lets one process at a time apply the configuration, until its transaction ends. */
export async function lockConfiguration(tx: Tx): Promise<void> {
  await run(tx, "select pg_advisory_xact_lock($1)", [CONFIGURATION_LOCK_ID]);
}

/** Dependent rows, except routes, are deleted with it. */
export async function deleteTrunkRow(tx: Tx, trunkId: string): Promise<void> {
  await tx.deleteFrom("trunks").where("id", "=", trunkId).execute();
}

function selectTrunks(db: Database) {
  return db
    .selectFrom("trunks as t")
    .innerJoin("trunk_channels as c", "c.trunk_id", "t.id")
    .selectAll("t")
    .select(["c.channels_max", "c.calls_per_second", "c.active_count"]);
}
