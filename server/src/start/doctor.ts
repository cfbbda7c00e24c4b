import { systemRandom } from "@parley/telephony/sip/random-source";
import { createDnsResolver } from "@parley/telephony/sip/transport/resolve-target";
import type { SipCarrierOptions } from "@parley/telephony/sip-carrier/sip-carrier-options";
import { systemClock } from "@parley/time/clock";
import { publicTrunks } from "../phone/carriers/trunks-as-seen.ts";
import { createDoctor, type Doctor } from "../phone/doctor/create-doctor.ts";
import { isSipTrunk, readCarrierTrunk } from "../phone/trunks/to-carrier-trunk.ts";
import { readSipTls, type SipSettings } from "../platform/config/sip-settings.ts";
import type { ServiceContext } from "./service-context.ts";

/** Joins the parts that examine trunks, from this machine and as its settings say. */
export function joinDoctor({ db, secrets, settings }: Pick<ServiceContext, "db" | "secrets" | "settings">): Doctor {
  const { sip } = settings;
  return createDoctor({
    surroundings: () => sipOptionsOf(sip, sip.port),
    vendors: { clock: systemClock, reach: settings, fetch },
    async readTrunk(trunkId) {
      const { trunk, routes } = await readCarrierTrunk(db, secrets, trunkId);
      if (!isSipTrunk(trunk)) return { trunk, routes };
      const [seen = trunk] = publicTrunks({ trunks: [trunk], routes: [] }, sip.publicHost, sip.port).trunks;
      return { trunk: seen, routes };
    },
  });
}

/** What a carrier over trunks needs besides the trunks. Throws with a message for the operator if a file cannot be read. */
export function sipOptionsOf(sip: SipSettings, port: number): Omit<SipCarrierOptions, "directory" | "observer"> {
  return {
    clock: systemClock,
    random: systemRandom,
    resolver: createDnsResolver(),
    sip: { address: sip.host, port },
    secondAddress: sip.secondHost,
    tls: readSipTls(sip),
    rtp: { address: sip.host, firstPort: sip.rtpPorts.first, lastPort: sip.rtpPorts.last },
    mediaThreads: sip.mediaThreads,
  };
}
