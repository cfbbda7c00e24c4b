import { isDeepStrictEqual } from "node:util";
import { makeId } from "@parley/contract/ids";
import type { NewTrunk } from "@parley/contract/trunks";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { ConfiguredRoute, ConfiguredTrunks } from "../../platform/config/read-trunks-file.ts";
import { UnreadableSecret } from "../../platform/config/sealed-text.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { createTrunk, describeChanges, writeTrunk } from "./change-trunk.ts";
import { passwordPlace, settingsOf, type TrunkRow } from "./trunk-record.ts";
import { deleteRoute, insertRoute, type RouteFields, readAllRouteRows, updateRoute } from "./trunk-route-store.ts";
import { findTrunkNamed, lockConfiguration, lockTrunkSettings, readAllTrunkRows } from "./trunk-store.ts";

const BY = { accountId: null, actor: "service" } as const;
type ConfigurationSecrets = Pick<Secrets, "seal" | "open">;

/** The changes to trunks and routes, by trunk name and by prefix. */
export interface AppliedConfiguration {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  /** No longer in the file: disabled, and the operator's from now on. */
  readonly disabled: readonly string[];
  readonly routesChanged: number;
}

/**
 * Makes trunks and routes in the database what the file says, all or nothing. A trunk is known by its name: one that an
 * operator created is taken over. Unchanged ones are left alone, so a start without a change reports nothing.
 */
export function applyConfiguration(
  db: Database,
  secrets: ConfigurationSecrets,
  configured: ConfiguredTrunks,
): Promise<AppliedConfiguration> {
  return inTransaction(db, async (tx) => {
    // Processes that start together would otherwise each create the same trunk.
    await lockConfiguration(tx);
    const created: string[] = [];
    const changed: string[] = [];
    const idByName = new Map<string, string>();
    for (const trunk of configured.trunks) {
      const found = await findTrunkNamed(tx, trunk.name);
      const before = found && (await lockTrunkSettings(tx, found.id));
      if (!before) created.push(trunk.name);
      else if (await updateIfDifferent(tx, secrets, before, trunk)) changed.push(trunk.name);
      idByName.set(
        trunk.name.toLowerCase(),
        before?.id ?? (await createTrunk(tx, secrets, trunk, BY, "configuration")),
      );
    }
    const disabled = await disableOthers(tx, secrets, new Set(idByName.values()));
    const routesChanged = await applyRoutes(tx, configured.routes, idByName);
    return { created, changed, disabled, routesChanged };
  });
}

async function updateIfDifferent(
  tx: Tx,
  secrets: ConfigurationSecrets,
  before: TrunkRow,
  { password, ...settings }: NewTrunk,
): Promise<boolean> {
  const isPasswordKept = isPasswordOf(before, secrets, password);
  if (before.managed_by === "configuration" && isPasswordKept && isDeepStrictEqual(settingsOf(before), settings))
    return false;
  await writeTrunk(tx, secrets, before, settings, isPasswordKept ? undefined : password, "configuration", BY);
  return true;
}

/** One that was stored under another secret is simply stored again. */
function isPasswordOf(row: TrunkRow, secrets: ConfigurationSecrets, password: string | null): boolean {
  if (row.password_sealed === null || password === null) return row.password_sealed === password;
  try {
    return secrets.open(row.password_sealed, passwordPlace(row.id)) === password;
  } catch (error) {
    if (error instanceof UnreadableSecret) return false;
    throw error;
  }
}

/** They are not removed: calls may be on them, and what they did so far is worth keeping. */
async function disableOthers(tx: Tx, secrets: ConfigurationSecrets, kept: ReadonlySet<string>): Promise<string[]> {
  const left = (await readAllTrunkRows(tx)).filter((row) => row.managed_by === "configuration" && !kept.has(row.id));
  for (const { id } of left) {
    const row = await lockTrunkSettings(tx, id);
    if (row) await writeTrunk(tx, secrets, row, { ...settingsOf(row), isEnabled: false }, undefined, "operator", BY);
  }
  return left.map(({ name }) => name);
}

async function applyRoutes(
  tx: Tx,
  routes: readonly ConfiguredRoute[],
  idByName: ReadonlyMap<string, string>,
): Promise<number> {
  const there = new Map((await readAllRouteRows(tx)).map((row) => [`${row.prefix} ${row.trunk_id}`, row]));
  let changes = 0;
  for (const { trunk, ...route } of routes) {
    const fields: RouteFields = { ...route, trunkId: idByName.get(trunk.toLowerCase()) ?? "" };
    const key = `${fields.prefix} ${fields.trunkId}`;
    const before = there.get(key);
    there.delete(key);
    if (!before) {
      const id = makeId("route");
      await insertRoute(tx, id, fields, "configuration");
      await recordAudit(tx, { ...BY, action: "route.created", target: id, data: { ...fields } });
    } else {
      const old = { priority: before.priority, weight: before.weight, managedBy: before.managed_by };
      const wanted = { priority: fields.priority, weight: fields.weight, managedBy: "configuration" };
      if (isDeepStrictEqual(old, wanted)) continue;
      await updateRoute(tx, before.id, fields, "configuration");
      const data = { prefix: fields.prefix, changes: describeChanges(old, wanted) };
      await recordAudit(tx, { ...BY, action: "route.changed", target: before.id, data });
    }
    changes += 1;
  }
  for (const row of there.values()) {
    if (row.managed_by !== "configuration") continue;
    await deleteRoute(tx, row.id);
    await recordAudit(tx, { ...BY, action: "route.removed", target: row.id, data: { prefix: row.prefix } });
    changes += 1;
  }
  return changes;
}
