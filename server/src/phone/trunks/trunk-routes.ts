import { AppError, invalidField } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { NewTrunkRoute, TrunkRoute, TrunkRouteChanges } from "@parley/contract/trunk-routes";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/failures.ts";
import { describeChanges, refuseManaged, type TrunkWriter } from "./change-trunk.ts";
import {
  deleteRoute,
  insertRoute,
  lockRoute,
  ROUTE_TAKEN,
  ROUTE_TRUNK_GONE,
  type RouteFields,
  readRouteRow,
  type TrunkRouteRow,
  updateRoute,
} from "./trunk-route-store.ts";

export function toTrunkRoute(row: TrunkRouteRow): TrunkRoute {
  return {
    id: row.id,
    ...fieldsOf(row),
    trunkName: row.trunk_name,
    managedBy: row.managed_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Sends numbers that begin with a prefix out on a trunk. */
export async function createTrunkRoute(db: Database, route: NewTrunkRoute, by: TrunkWriter): Promise<TrunkRoute> {
  return explainRefusals(() =>
    inTransaction(db, async (tx) => {
      const id = makeId("route");
      await insertRoute(tx, id, route, "operator");
      await recordAudit(tx, { ...by, action: "route.created", target: id, data: { ...route } });
      return readBack(tx, id);
    }),
  );
}

export async function changeTrunkRoute(
  db: Database,
  routeId: string,
  changes: TrunkRouteChanges,
  by: TrunkWriter,
): Promise<TrunkRoute> {
  return explainRefusals(() =>
    inTransaction(db, async (tx) => {
      const before = await lockOwnRoute(tx, routeId);
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const fields: RouteFields = { ...fieldsOf(before), ...given };
      await updateRoute(tx, routeId, fields, "operator");
      await recordAudit(tx, {
        ...by,
        action: "route.changed",
        target: routeId,
        data: { prefix: fields.prefix, changes: describeChanges(fieldsOf(before), fields) },
      });
      return readBack(tx, routeId);
    }),
  );
}

export async function removeTrunkRoute(db: Database, routeId: string, by: TrunkWriter): Promise<void> {
  await inTransaction(db, async (tx) => {
    const route = await lockOwnRoute(tx, routeId);
    await deleteRoute(tx, routeId);
    await recordAudit(tx, { ...by, action: "route.removed", target: routeId, data: { ...fieldsOf(route) } });
  });
}

async function lockOwnRoute(tx: Tx, routeId: string): Promise<TrunkRouteRow> {
  const route = await lockRoute(tx, routeId);
  if (!route) throw new AppError("not_found", "There is no such route.");
  refuseManaged(route, "This route");
  return route;
}

async function readBack(tx: Tx, routeId: string): Promise<TrunkRoute> {
  const row = await readRouteRow(tx, routeId);
  if (!row) throw new Error("the route that was just written is not there");
  return toTrunkRoute(row);
}

async function explainRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === ROUTE_TAKEN)
      throw invalidField("prefix", "taken", "prefix already has a route to this trunk; change that one.");
    if (constraint === ROUTE_TRUNK_GONE) throw invalidField("trunkId", "unknown", "trunkId is not that of a trunk.");
    throw error;
  }
}

function fieldsOf(row: TrunkRouteRow): RouteFields {
  return { prefix: row.prefix, trunkId: row.trunk_id, priority: row.priority, weight: row.weight };
}
