import { AppError } from "@parley/contract/errors";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { unknownTrunk } from "./read-trunks.ts";
import { refuseManaged } from "./refuse-trunk-faults.ts";
import { countRoutesOf } from "./trunk-route-store.ts";
import { deleteTrunkRow, lockTrunk } from "./trunk-store.ts";
import type { TrunkWriter } from "./trunk-writer.ts";

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
