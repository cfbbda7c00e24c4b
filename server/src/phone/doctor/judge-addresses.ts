import type { DoctorFinding } from "@parley/contract/doctor";
import { addressKindOf, isOutOfReach } from "./address-kind.ts";
import type { AddressFacts } from "./facts.ts";
import { fault, ok, warning } from "./finding.ts";

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
        `The trunk would be told to send sound to ${offered.mediaHost}, which it cannot reach from ${trunkAddress}${seen}.`,
        `Set publicMediaHost of the trunk, or PARLEY_SIP_PUBLIC_HOST, to ${toName}, and pass the ports of PARLEY_RTP_PORTS on to this machine.`,
      ),
    );
  }
  if (isOutOfReach(offered.sipHost, trunkAddress)) {
    found.push(
      warning(
        "addresses",
        `The trunk is told to reach our SIP at ${offered.sipHost}, which it cannot${seen}.`,
        `Set publicAddress of the trunk, or PARLEY_SIP_PUBLIC_HOST, to ${toName}; else hang-ups of the callee may get lost.`,
      ),
    );
  }
  if (found.length > 0) return found;
  if (isSeenOutside && addressKindOf(offered.mediaHost) === "public" && seenAs.host !== offered.mediaHost) {
    found.push(
      warning(
        "addresses",
        `The trunk sees us at ${seenAs.host}, but is told to send sound to ${offered.mediaHost}.`,
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
      `The trunk is told addresses that it can reach: ${offered.sipHost} for SIP, ${offered.mediaHost} for audio${seen}.`,
    ),
  ];
}
