import { systemRandom } from "@parley/telephony/sip/random-source";
import { openSipCarrier } from "@parley/telephony/sip-carrier/sip-carrier";
import type { SipCarrier } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { TrunkDirectory } from "@parley/telephony/sip-carrier/trunks/trunk";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { hurriedClock } from "../sip/hurried-clock.ts";

/** What the carrier reported about others and about itself. */
export interface SoakObserver {
  readonly refusals: Record<string, number>;
  readonly failures: unknown[];
}

/** Half a minute of SIP takes four seconds, so that what lingers is gone while one can still wait for it. */
const HURRY = 8;
/** Ports rest for ten seconds of SIP before they are used again. */
const PORT_PAIRS_PER_HAND = 6;

export async function openSoakCarrier(
  directory: () => TrunkDirectory,
  observer: SoakObserver,
  hands: number,
): Promise<SipCarrier> {
  const portCount = 2 * PORT_PAIRS_PER_HAND * hands;
  const firstPort = await freePorts(portCount);
  return openSipCarrier({
    clock: hurriedClock(HURRY),
    random: systemRandom,
    resolver: { srv: async () => [], addresses: async () => ["127.0.0.1"] },
    sip: { address: "127.0.0.1", port: await freePorts(2) },
    rtp: { address: "127.0.0.1", firstPort, lastPort: firstPort + portCount - 1 },
    mediaThreads: 1,
    directory,
    observer: {
      refused: (what) => {
        observer.refusals[what] = (observer.refusals[what] ?? 0) + 1;
      },
      failed: (error) => observer.failures.push(error),
    },
  });
}
