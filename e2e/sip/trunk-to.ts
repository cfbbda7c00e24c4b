import { type SipTrunk, TRUNK_DEFAULTS } from "@parley/telephony/sip/sip-trunk";
import type { Trunk } from "@parley/telephony/sip-carrier/trunk";

export type TrunkPlan = Partial<Omit<Trunk, "sip">> & { readonly sip?: Partial<SipTrunk> };

/** A trunk to a peer on the loopback that wants nothing special, but for what the plan says. */
export function trunkTo(id: string, port: number, { sip, ...plan }: TrunkPlan = {}): Trunk {
  return {
    id,
    name: id,
    isEnabled: true,
    sip: { ...TRUNK_DEFAULTS, host: "127.0.0.1", port, ...sip },
    numberFormat: "e164",
    dialPrefix: "",
    callerIds: [],
    codecs: ["PCMU", "PCMA"],
    srtp: "off",
    publicMediaHost: null,
    registersAs: null,
    pingIntervalMs: null,
    channelsMax: null,
    callsPerSecond: null,
    ...plan,
  };
}
