import type { Carrier } from "@parley/telephony/carrier";
import { systemClock } from "@parley/telephony/clock";
import { connectSimulatedNetwork } from "@parley/telephony/simulated-network/remote-simulated-network";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import type { Settings } from "../config/settings.ts";

/** The network calls go out on: the simulated one, in this process or in the process the settings name. */
export function chooseCarrier(settings: Pick<Settings, "simulatedNetwork">): Carrier {
  if (settings.simulatedNetwork) return connectSimulatedNetwork({ ...settings.simulatedNetwork, clock: systemClock });
  return createSimulatedNetwork({ clock: systemClock });
}
