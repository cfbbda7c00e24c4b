import { invalidField } from "@parley/contract/errors";
import type { TrunkChanges } from "@parley/contract/trunks";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import type { ManagedBy } from "../../platform/database/schema/schema.ts";
import { refuseTakenName } from "./create-trunk.ts";
import { describeChanges } from "./describe-changes.ts";
import { unknownTrunk } from "./read-trunks.ts";
import { refuseManaged, refuseTrunkFaults } from "./refuse-trunk-faults.ts";
import { columnsOf, limitsOf, passwordPlace, settingsOf, type TrunkRow, type TrunkSettings } from "./trunk-record.ts";
import { lockTrunkSettings, updateTrunk } from "./trunk-store.ts";
import type { TrunkSecrets, TrunkWriter } from "./trunk-writer.ts";

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
      // Without a name there is nobody the password could belong to.
      const isSignedOut = changes.username === null && password === undefined;
      if (password === undefined && !isSignedOut && before.password_sealed !== null)
        refuseRedirectedPassword(settingsOf(before), merged);
      await writeTrunk(tx, secrets, before, merged, isSignedOut ? null : password, "operator", by);
    }),
  );
}

/** The password is never shown, so nothing made of it may be sent to a host that whoever changes the trunk chose. */
function refuseRedirectedPassword(before: TrunkSettings, after: TrunkSettings): void {
  const places = ["host", "port", "outboundProxy"] as const;
  if (places.every((name) => before[name] === after[name])) return;
  throw invalidField(
    "password",
    "required",
    "password must be sent again, because the one that is kept is for another host.",
  );
}

/** Writes a locked trunk as a whole. A password that is left out stays, null takes it away. */
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
