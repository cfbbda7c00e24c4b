import { isDeepStrictEqual } from "node:util";
import { AppError, invalidField } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import { type CombinedTrunkFields, findTrunkFaults, type NewTrunk, type TrunkChanges } from "@parley/contract/trunks";
import { type AuditNote, recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/failures.ts";
import type { ManagedBy } from "../../platform/database/schema/schema.ts";
import { unknownTrunk } from "./read-trunks.ts";
import { columnsOf, limitsOf, passwordPlace, settingsOf, type TrunkRow, type TrunkSettings } from "./trunk-record.ts";
import { countRoutesOf } from "./trunk-route-store.ts";
import {
  deleteTrunkRow,
  insertTrunk,
  lockTrunk,
  lockTrunkSettings,
  TRUNK_NAME_TAKEN,
  updateTrunk,
} from "./trunk-store.ts";

/** Changes what is named and leaves the rest. The result must make sense as a whole. */
export async function changeTrunk(
  db: Database,
  secrets: TrunkSecrets,
  trunkId: string,
  changes: TrunkChanges,
  by: TrunkWriter,
): Promise<void> {
  const { password, ...settings } = changes;
  await refuseTakenName(() =>
    inTransaction(db, async (tx) => {
      const before = await lockTrunkSettings(tx, trunkId);
      if (!before) throw unknownTrunk();
      refuseManaged(before, `Trunk ${before.name}`);
      // A field that is named without a value was left out.
      const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
      const merged: TrunkSettings = { ...settingsOf(before), ...given };
      // Without a user name the password is meaningless.
      const isSignedOut = changes.username === null && password === undefined;
      if (password === undefined && !isSignedOut && before.password_sealed !== null)
        refuseRedirectedPassword(settingsOf(before), merged);
      await writeTrunk(tx, secrets, before, merged, isSignedOut ? null : password, "operator", by);
    }),
  );
}

/** The password is never shown, so it must not be sent to a host chosen by the member who changes the trunk. */
function refuseRedirectedPassword(before: TrunkSettings, after: TrunkSettings): void {
  const places = ["host", "port", "outboundProxy"] as const;
  if (places.every((name) => before[name] === after[name])) return;
  throw invalidField(
    "password",
    "required",
    "password must be sent again, because the one that is kept is for another host.",
  );
}

/** Writes a locked trunk as a whole. An omitted password is unchanged, null removes it. */
export async function writeTrunk(
  tx: Tx,
  secrets: TrunkSecrets,
  before: TrunkRow,
  settings: TrunkSettings,
  password: string | null | undefined,
  managedBy: ManagedBy,
  by: TrunkWriter,
): Promise<void> {
  const hasPassword = password === undefined ? before.password_sealed !== null : password !== null;
  refuseTrunkFaults({ ...settings, hasPassword });
  const place = passwordPlace(before.id);
  await updateTrunk(tx, {
    id: before.id,
    managedBy,
    columns: columnsOf(settings),
    limits: limitsOf(settings),
    ...(password === undefined ? {} : { passwordSealed: password === null ? null : secrets.seal(password, place) }),
  });
  await recordAudit(tx, {
    ...by,
    action: "trunk.changed",
    target: before.id,
    data: {
      name: settings.name,
      changes: describeChanges({ ...settingsOf(before), managedBy: before.managed_by }, { ...settings, managedBy }),
      ...(password === undefined ? {} : { password: password === null ? "removed" : "replaced" }),
    },
  });
}

/** Adds a trunk and returns its id. */
export async function createTrunk(
  db: Database,
  secrets: TrunkSecrets,
  { password, ...settings }: NewTrunk,
  by: TrunkWriter,
  managedBy: ManagedBy = "operator",
): Promise<string> {
  refuseTrunkFaults({ ...settings, hasPassword: password !== null });
  const id = makeId("trunk");
  await refuseTakenName(() =>
    inTransaction(db, async (tx) => {
      await insertTrunk(tx, {
        id,
        managedBy,
        columns: columnsOf(settings),
        limits: limitsOf(settings),
        passwordSealed: password === null ? null : secrets.seal(password, passwordPlace(id)),
      });
      await recordAudit(tx, {
        ...by,
        action: "trunk.created",
        target: id,
        data: { ...settings, hasPassword: password !== null, managedBy },
      });
    }),
  );
  return id;
}

/** Says which field is at fault when another trunk has the name. */
async function refuseTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== TRUNK_NAME_TAKEN) throw error;
    throw invalidField("name", "taken", "name is used by another trunk.");
  }
}

/** Removes a trunk that no route leads to and no call is on. No call can begin on it meanwhile. */
export async function removeTrunk(db: Database, trunkId: string, by: TrunkWriter): Promise<void> {
  await inTransaction(db, async (tx) => {
    const trunk = await lockTrunk(tx, trunkId);
    if (!trunk) throw unknownTrunk();
    refuseManaged(trunk, `Trunk ${trunk.name}`);
    const routes = await countRoutesOf(tx, trunkId);
    if (routes > 0) {
      throw new AppError(
        "invalid_state",
        `${routes === 1 ? "A route leads" : `${routes} routes lead`} to trunk ${trunk.name}. Remove ${routes === 1 ? "it" : "them"} first.`,
      );
    }
    if (trunk.active_count > 0) {
      throw new AppError(
        "invalid_state",
        `${trunk.active_count === 1 ? "A call is" : `${trunk.active_count} calls are`} on trunk ${trunk.name}. ` +
          "Disable it, and remove it when they have ended.",
      );
    }
    await deleteTrunkRow(tx, trunkId);
    await recordAudit(tx, { ...by, action: "trunk.removed", target: trunkId, data: { name: trunk.name } });
  });
}

/** Rejects fields that make no sense together, with all faults in one error. */
function refuseTrunkFaults(trunk: CombinedTrunkFields): void {
  const details = findTrunkFaults(trunk);
  const [first] = details;
  if (first) throw new AppError("validation_failed", `${first.param} ${first.message}.`, { details });
}

/** What comes from the configuration file would be put back at the next start, so it is changed there. */
export function refuseManaged(what: { readonly managed_by: "operator" | "configuration" }, name: string): void {
  if (what.managed_by !== "configuration") return;
  throw new AppError(
    "invalid_state",
    `${name} is managed by configuration. Change it in the file that PARLEY_TRUNKS names, and start again.`,
  );
}

/** What differs, by field, as the audit log shows it. */
export function describeChanges(before: object, after: object): Record<string, { from: unknown; to: unknown }> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, to]) => !isDeepStrictEqual(old.get(field), to))
      .map(([field, to]) => [field, { from: old.get(field), to: to as unknown }]),
  );
}

/** The author of a change to a trunk, for the audit log. */
export type TrunkWriter = Pick<AuditNote, "accountId" | "actor" | "ip" | "client">;

export type TrunkSecrets = Pick<Secrets, "seal">;
