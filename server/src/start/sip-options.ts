import { systemRandom } from "@parley/telephony/sip/random-source";
import { createDnsResolver } from "@parley/telephony/sip/transport/dns-resolver";
import type { SipCarrierOptions } from "@parley/telephony/sip-carrier/sip-carrier-options";
import { systemClock } from "@parley/time/clock";
import { readSipTls, type SipSettings } from "../platform/config/sip-settings.ts";

/** All that a carrier over trunks needs but the trunks. Throws, in words for the operator, when a file cannot be read. */
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
