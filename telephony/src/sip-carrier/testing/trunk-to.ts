import { TRUNK_DEFAULTS } from "../../sip/sip-trunk.ts";
import type { Trunk, TrunkDirectory } from "../trunks/trunk.ts";

/** A trunk to a port of this machine. */
export function trunkTo(port: number, changes: Partial<Trunk> = {}, sip: Partial<Trunk["sip"]> = {}): Trunk {
  return {
    id: `trunk-${port}`,
    name: `Trunk ${port}`,
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
    ...changes,
  };
}

/** Every number goes to these, in this order. */
export function routedTo(...trunks: Trunk[]): TrunkDirectory {
  return {
    trunks,
    routes: trunks.map(({ id }, index) => ({ id: `route-${id}`, prefix: "", trunkId: id, priority: index, weight: 1 })),
  };
}
