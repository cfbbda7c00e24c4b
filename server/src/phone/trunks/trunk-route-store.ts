import type { Selectable } from "kysely";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { ManagedBy, Schema } from "../../platform/database/schema/schema.ts";

/** The constraint that a second route of the same prefix to the same trunk violates. */
export const ROUTE_TAKEN = "one_route_per_prefix_and_trunk";
/** The constraint that a route to an unknown trunk violates. */
export const ROUTE_TRUNK_GONE = "trunk_routes_trunk_id_fkey";

export type TrunkRouteRow = Selectable<Schema["trunk_routes"]> & { readonly trunk_name: string };

export interface RouteFields {
  readonly prefix: string;
  readonly trunkId: string;
  readonly priority: number;
  readonly weight: number;
}

export async function insertRoute(tx: Tx, id: string, fields: RouteFields, managedBy: ManagedBy): Promise<void> {
  await tx
    .insertInto("trunk_routes")
    .values({ id, ...toColumns(fields), managed_by: managedBy })
    .execute();
}

export async function updateRoute(tx: Tx, id: string, fields: RouteFields, managedBy: ManagedBy): Promise<void> {
  await tx
    .updateTable("trunk_routes")
    .set({ ...toColumns(fields), managed_by: managedBy })
    .set((eb) => ({ updated_at: eb.fn<Date>("clock_timestamp") }))
    .where("id", "=", id)
    .execute();
}

export async function deleteRoute(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("trunk_routes").where("id", "=", id).execute();
}

export interface RoutePosition {
  readonly prefix: string;
  readonly id: string;
}

/** By prefix, as bytes sort: in every database the same. */
export async function listRouteRows(
  db: Database,
  limit: number,
  after: RoutePosition | null,
): Promise<TrunkRouteRow[]> {
  return run<TrunkRouteRow>(
    db,
    `select r.*, t.name as trunk_name from trunk_routes r join trunks t on t.id = r.trunk_id
     where $2::text is null or (r.prefix collate "C", r.id collate "C") > ($2, $3)
     order by r.prefix collate "C", r.id collate "C" limit $1`,
    [limit, after?.prefix ?? null, after?.id ?? null],
  );
}

export async function readAllRouteRows(db: Database): Promise<TrunkRouteRow[]> {
  return selectRoutes(db).orderBy("r.id").execute();
}

export async function readRouteRow(db: Database, id: string): Promise<TrunkRouteRow | null> {
  return (await selectRoutes(db).where("r.id", "=", id).executeTakeFirst()) ?? null;
}

export async function lockRoute(tx: Tx, id: string): Promise<TrunkRouteRow | null> {
  return (await selectRoutes(tx).where("r.id", "=", id).forUpdate("r").executeTakeFirst()) ?? null;
}

export async function countRoutesOf(db: Database, trunkId: string): Promise<number> {
  const [row] = await run<{ n: number }>(db, "select count(*)::int as n from trunk_routes where trunk_id = $1", [
    trunkId,
  ]);
  return row?.n ?? 0;
}

function toColumns({ prefix, trunkId, priority, weight }: RouteFields) {
  return { prefix, trunk_id: trunkId, priority, weight };
}

function selectRoutes(db: Database) {
  return db
    .selectFrom("trunk_routes as r")
    .innerJoin("trunks as t", "t.id", "r.trunk_id")
    .selectAll("r")
    .select("t.name as trunk_name");
}
