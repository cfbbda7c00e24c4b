import type { OrphanedLeg } from "../carrier.ts";
import { readLegRecord } from "../sip/dialog-record.ts";
import type { UserAgent } from "../sip/user-agent.ts";
import type { TrunkDirectory } from "./trunk.ts";

/**
 * Ends what another process placed and lost. Where nothing was written down nothing was sent, since the journal comes
 * first. A trunk that was deleted meanwhile, or a record that cannot be read, leaves nothing to go by.
 */
export async function endOrphan(
  agent: Pick<UserAgent, "endOrphan">,
  { trunks }: TrunkDirectory,
  { record, trunkId }: OrphanedLeg,
): Promise<boolean> {
  if (record === null || record === undefined) return true;
  const read = readLegRecord(record);
  const trunk = trunks.find(({ id }) => id === trunkId);
  if (read === null || trunk === undefined) return false;
  return agent.endOrphan(trunk.sip, read);
}
