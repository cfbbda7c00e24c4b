import type { Trunk } from "@parley/telephony/sip-carrier/trunk";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Database } from "../../platform/database/database.ts";
import { unknownTrunk } from "./read-trunks.ts";
import { toCarrierTrunk } from "./to-carrier-trunk.ts";
import { countRoutesOf } from "./trunk-route-store.ts";
import { readTrunkRow } from "./trunk-store.ts";

/** A trunk as a carrier wants it, with its password, as it stands now. Throws UnreadableSecret when that cannot be read. */
export async function readCarrierTrunk(
  db: Database,
  secrets: Pick<Secrets, "open">,
  trunkId: string,
): Promise<{ readonly trunk: Trunk; readonly routes: number }> {
  const row = await readTrunkRow(db, trunkId);
  if (!row) throw unknownTrunk();
  return { trunk: toCarrierTrunk(row, secrets), routes: await countRoutesOf(db, trunkId) };
}
