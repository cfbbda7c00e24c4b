import { isIP } from "node:net";
import type { DoctorFinding } from "@parley/contract/doctor";
import { addressKindOf, isOutOfReach } from "./address-kind.ts";
import type { AddressFacts, SettingsFacts } from "./facts.ts";
import { fault, ok, warning } from "./finding.ts";

/** Why no call goes out on a trunk, whatever its kind. */
export function judgeUse(isEnabled: boolean, routes: number): DoctorFinding[] {
  const found: DoctorFinding[] = [];
  if (!isEnabled) found.push(warning("settings", "The trunk is disabled, so no call goes out on it.", "Enable it."));
  if (routes === 0)
    found.push(
      warning(
        "settings",
        "No route leads to the trunk, so no call goes out on it.",
        "Add a route, such as one with an empty prefix for every number.",
      ),
    );
  return found;
}

/** Problems in the settings of the trunk, found without sending anything. */
export function judgeSettings({ trunk, routes, sipHost }: SettingsFacts): DoctorFinding[] {
  const { sip } = trunk;
  const found = judgeUse(trunk.isEnabled, routes);
  if (addressKindOf(sipHost) === "loopback" && isIP(sip.host) !== 0 && addressKindOf(sip.host) !== "loopback")
    found.push(
      fault(
        "settings",
        `SIP is bound to ${sipHost}, which cannot reach anything outside this machine.`,
        "Set PARLEY_SIP_HOST to 0.0.0.0 or to an address of the machine.",
      ),
    );
  if (sip.transport === "tls" && sip.port === 5060)
    found.push(
      warning(
        "settings",
        "TLS is set for port 5060, which usually does not speak TLS.",
        "Try port 5061, or leave the port empty.",
      ),
    );
  if (sip.transport !== "tls" && sip.port === 5061)
    found.push(warning("settings", "Port 5061 usually expects TLS.", "Set the transport to tls, or try port 5060."));
  if (trunk.srtp !== "off" && sip.transport !== "tls")
    found.push(
      warning(
        "settings",
        "The keys of the encrypted audio travel in SIP messages that anyone on the path can read.",
        "Set the transport to tls, or srtp to off.",
      ),
    );
  return found.length > 0 ? found : [ok("settings", "The settings are consistent.")];
}

/** Whether the trunk can reach us where we say we are: address translation is the usual reason for silence. */
export function judgeAddresses({ trunkAddress, offered, seenAs }: AddressFacts): DoctorFinding[] {
  const found: DoctorFinding[] = [];
  const seen = seenAs.host === null ? "" : `, and it sees us at ${seenAs.host}`;
  const isSeenOutside = seenAs.host !== null && !isOutOfReach(seenAs.host, trunkAddress);
  const toName = isSeenOutside ? seenAs.host : "the public address of this network";
  if (isOutOfReach(offered.mediaHost, trunkAddress)) {
    found.push(
      fault(
        "addresses",
        `The trunk would be asked to send audio to ${offered.mediaHost}, which it cannot reach from ${trunkAddress}${seen}.`,
        `Set publicMediaHost of the trunk, or PARLEY_SIP_PUBLIC_HOST, to ${toName}, and pass the ports of PARLEY_RTP_PORTS on to this machine.`,
      ),
    );
  }
  if (isOutOfReach(offered.sipHost, trunkAddress)) {
    found.push(
      warning(
        "addresses",
        `The trunk is given ${offered.sipHost} as our SIP address, which it cannot reach${seen}.`,
        `Set publicAddress of the trunk, or PARLEY_SIP_PUBLIC_HOST, to ${toName}; else hang-ups of the callee may get lost.`,
      ),
    );
  }
  if (found.length > 0) return found;
  if (isSeenOutside && addressKindOf(offered.mediaHost) === "public" && seenAs.host !== offered.mediaHost) {
    found.push(
      warning(
        "addresses",
        `The trunk sees us at ${seenAs.host}, but is asked to send audio to ${offered.mediaHost}.`,
        "Check that the second address leads to this machine, or name the first one.",
      ),
    );
  }
  if (seenAs.port !== null && seenAs.port !== offered.sipPort) {
    found.push(
      warning(
        "addresses",
        `Our messages leave from port ${offered.sipPort} and reach the trunk from port ${seenAs.port}: a translation stands between.`,
        "Pass the SIP port on to this machine unchanged, or use tcp or tls, which keep one connection open both ways.",
      ),
    );
  }
  if (found.length > 0) return found;
  return [
    ok(
      "addresses",
      `The trunk is given addresses that it can reach: ${offered.sipHost} for SIP, ${offered.mediaHost} for audio${seen}.`,
    ),
  ];
}
