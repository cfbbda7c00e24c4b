import { isIP } from "node:net";
import type { DoctorFinding } from "@parley/contract/doctor";
import { addressKindOf } from "./address-kind.ts";
import type { SettingsFacts } from "./facts.ts";
import { fault, ok, warning } from "./finding.ts";

/** What is wrong with the trunk as it is written down, before anybody is asked. */
export function judgeSettings({ trunk, routes, sipHost }: SettingsFacts): DoctorFinding[] {
  const { sip } = trunk;
  const found: DoctorFinding[] = [];
  if (!trunk.isEnabled)
    found.push(warning("settings", "The trunk is disabled, so no call goes out on it.", "Enable it."));
  if (routes === 0)
    found.push(
      warning(
        "settings",
        "No route leads to the trunk, so no call goes out on it.",
        "Add a route, such as one with an empty prefix for every number.",
      ),
    );
  if (addressKindOf(sipHost) === "loopback" && isIP(sip.host) !== 0 && addressKindOf(sip.host) !== "loopback")
    found.push(
      fault(
        "settings",
        `SIP is bound to ${sipHost}, from where nobody outside this machine can be reached.`,
        "Set PARLEY_SIP_HOST to 0.0.0.0 or to an address of the machine.",
      ),
    );
  if (sip.transport === "tls" && sip.port === 5060)
    found.push(
      warning("settings", "TLS is to go to port 5060, where usually no TLS is spoken.", "Try port 5061, or none."),
    );
  if (sip.transport !== "tls" && sip.port === 5061)
    found.push(
      warning("settings", "Port 5061 is usually spoken to in TLS.", "Set the transport to tls, or try port 5060."),
    );
  if (trunk.srtp !== "off" && sip.transport !== "tls")
    found.push(
      warning(
        "settings",
        "The keys of the encrypted sound travel in SIP messages that everybody on the way can read.",
        "Set the transport to tls, or srtp to off.",
      ),
    );
  return found.length > 0 ? found : [ok("settings", "The settings fit together.")];
}
