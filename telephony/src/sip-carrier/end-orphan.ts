import type { OrphanedLeg } from "../carrier.ts";
import { readLegRecord } from "../sip/dialog-record.ts";
import type { CarrierParts } from "./carrier-parts.ts";

/**
 * Ends what another process placed and lost. Where nothing was written down nothing was sent, since the journal comes
 * first. A trunk that was deleted meanwhile, or a record that cannot be read, leaves nothing to go by.
 */
export async function endOrphan(
  { agent, addressTrunk, directory }: Pick<CarrierParts, "agent" | "addressTrunk" | "directory">,
  { record, trunkId }: OrphanedLeg,
): Promise<boolean> {
  if (record === null || record === undefined) return true;
  const read = readLegRecord(record);
  const trunk = directory().trunks.find(({ id }) => id === trunkId);
  if (read === null || trunk === undefined) return false;
  const { sip } = await addressTrunk(trunk, read.hop);
  return agent.endOrphan(sip, read);
}
