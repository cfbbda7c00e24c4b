import { lookup } from "node:dns/promises";
import type { Clock } from "@parley/time/clock";
import { createDnsResolver, type ResolveName } from "../../platform/outbound-http/dns-resolver.ts";
import { createOutboundHttp, type OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import { makePolicy, PUBLIC_PORTS } from "../../platform/outbound-http/outbound-policy.ts";
import { rememberNames } from "./remember-names.ts";

export interface ModelDoorOptions {
  readonly clock: Clock;
  /** Hosts that the operator named. */
  readonly ownHosts: readonly string[];
}

const EVERYWHERE = ["0.0.0.0/0", "::/0"];
// As long as an idle connection is kept: the turns of a call follow each other faster than that.
const NAMES_KEPT_MS = 30_000;

/**
 * The door for requests to language models. Their URLs come from the operator or from this program, never from a customer: so
 * they may lead to this machine and into private networks, also by plain http. Where clouds hand out credentials stays shut,
 * redirects are not followed, and times and sizes are bounded as everywhere.
 */
export function openModelDoor({ clock, ownHosts }: ModelDoorOptions): OutboundHttp {
  const askNameServers = createDnsResolver({ clock });
  const resolve: ResolveName = (name, signal) =>
    ownHosts.includes(name) ? resolveAsTheMachineDoes(name) : askNameServers(name, signal);
  return createOutboundHttp({
    policy: makePolicy({ allow: EVERYWHERE, deny: [], ports: PUBLIC_PORTS }),
    clock,
    resolve: rememberNames(resolve, clock, NAMES_KEPT_MS),
  });
}

/** The names of an operator's machines stand in `/etc/hosts` and search domains as often as in DNS. */
async function resolveAsTheMachineDoes(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}
