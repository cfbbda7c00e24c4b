import { invalidField } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { NewTrunk } from "@parley/contract/trunks";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/failures.ts";
import type { ManagedBy } from "../../platform/database/schema/schema.ts";
import { refuseTrunkFaults } from "./refuse-trunk-faults.ts";
import { columnsOf, limitsOf, passwordPlace } from "./trunk-record.ts";
import { insertTrunk, TRUNK_NAME_TAKEN } from "./trunk-store.ts";
import type { TrunkSecrets, TrunkWriter } from "./trunk-writer.ts";

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
export async function refuseTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== TRUNK_NAME_TAKEN) throw error;
    throw invalidField("name", "taken", "name is that of another trunk.");
  }
}
