import type { Settings } from "../platform/config/settings.ts";
import type { OutboundPolicyWords } from "../platform/outbound-http/outbound-policy.ts";
import type { Exposure } from "./exposure.ts";

/**
 * What customers' URLs may reach. Without a setting, an installation for this machine alone (an
 * embedded database, no address but loopback, no proxy) may reach this machine too, so that a webhook can be
 * tried out; every other one reaches only the public internet.
 */
export function outboundWords(
  { outboundAllow, outboundDeny: deny, outboundPorts: ports, isForThisMachineAlone }: Settings,
  { flag }: Pick<Exposure, "flag">,
): OutboundPolicyWords {
  if (outboundAllow !== null) return { allow: outboundAllow, deny, ports };
  return { allow: isForThisMachineAlone ? ["loopback"] : [], deny, ports, shutBy: flag };
}

/** Whether anyone may create an account now. */
export function signUpOf({ signUp, isSignUpChosen }: Settings, exposure: Pick<Exposure, "isSeen">): Settings["signUp"] {
  return !isSignUpChosen && exposure.isSeen() ? "closed" : signUp;
}
