import type { Settings } from "../config/settings.ts";
import type { OutboundPolicyWords } from "../outbound-http/outbound-policy.ts";

const LOOPBACK_HOSTS = ["127.0.0.1", "::1", "localhost"];

/**
 * What customers' URLs may reach. Where the operator said nothing, an installation that is for this machine alone (a
 * database of its own, no address but loopback, no proxy before it) may reach this machine too, so that a webhook can be
 * tried out; every other one reaches the public internet alone.
 */
export function outboundWords(settings: Settings): OutboundPolicyWords {
  const { outboundAllow, outboundDeny: deny, outboundPorts: ports } = settings;
  return { allow: outboundAllow ?? (isForThisMachineAlone(settings) ? ["loopback"] : []), deny, ports };
}

function isForThisMachineAlone({ host, publicUrl, databaseUrl, trustProxy }: Settings): boolean {
  return LOOPBACK_HOSTS.includes(host) && publicUrl === null && databaseUrl === null && trustProxy.length === 0;
}
