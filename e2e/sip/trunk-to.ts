import { trunkTo as plainTrunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import type { Trunk } from "@parley/telephony/sip-carrier/trunks/trunk";

export type TrunkPlan = Partial<Omit<Trunk, "sip">> & { readonly sip?: Partial<Trunk["sip"]> };

/** A trunk to a peer on the loopback with default settings, except for those of the plan. */
export function trunkTo(id: string, port: number, { sip, ...plan }: TrunkPlan = {}): Trunk {
  return plainTrunkTo(port, { id, name: id, ...plan }, sip);
}
