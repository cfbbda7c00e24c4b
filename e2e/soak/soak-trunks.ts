import type { Trunk, TrunkDirectory, TrunkRoute } from "@parley/telephony/sip-carrier/trunks/trunk";
import { trunkTo } from "../sip/trunk-to.ts";
import { CALL_CASES, numberOf, SECOND_TRUNK_PREFIX } from "./call-cases.ts";

/** A trunk for every callCase, so that trouble with one does not keep calls away from the others. */
export function soakTrunks(port: number, portOfNobody: number): TrunkDirectory {
  const trunks: Trunk[] = [];
  const routes: TrunkRoute[] = [];
  function reach(prefix: string, priority: number, trunk: Trunk): void {
    trunks.push(trunk);
    routes.push({ id: trunk.id, prefix, trunkId: trunk.id, priority, weight: 1 });
  }
  for (const [index, { trunk, fallsBackTo, isGone = false }] of CALL_CASES.entries()) {
    const prefix = numberOf(index).slice(1);
    const place = isGone ? portOfNobody : port;
    reach(prefix, 1, trunkTo(`${prefix}-first`, place, trunk?.(place)));
    if (fallsBackTo === undefined) continue;
    reach(prefix, 2, trunkTo(`${prefix}-second`, port, { dialPrefix: SECOND_TRUNK_PREFIX }));
  }
  return { trunks, routes };
}
