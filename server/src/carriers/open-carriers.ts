import type { Carrier } from "@parley/telephony/carrier";
import { systemClock } from "@parley/telephony/clock";
import { connectSimulatedNetwork } from "@parley/telephony/simulated-network/remote-simulated-network";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import type { CallRow } from "../calls/call-record.ts";
import type { Settings } from "../config/settings.ts";
import { writeAheadOnce } from "./write-ahead-once.ts";

/** The networks calls go out on. */
export interface Carriers {
  forCall(call: Pick<CallRow, "mode">): Carrier;
  /** The carrier that an attempt names; null when there is none of that name. */
  named(name: string): Carrier | null;
  /** Hangs up what is left and gives everything back. */
  close(): Promise<void>;
}

export function openCarriers(settings: Pick<Settings, "simulatedNetwork">): Carriers {
  const simulated = writeAheadOnce(openSimulatedNetwork(settings));
  return {
    forCall: () => simulated,
    named: (name) => (name === simulated.name ? simulated : null),
    close: () => simulated.close(),
  };
}

/** The simulated network in this process, or the one in the process that the settings name. */
function openSimulatedNetwork(settings: Pick<Settings, "simulatedNetwork">): Carrier {
  if (settings.simulatedNetwork) return connectSimulatedNetwork({ ...settings.simulatedNetwork, clock: systemClock });
  return createSimulatedNetwork({ clock: systemClock });
}
