import { Resolver } from "node:dns/promises";
import { type Clock, systemClock } from "@parley/time/clock";

/** Finds every address of a name. Rejects when there is none, and soon after the signal aborts. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface DnsResolverOptions {
  /** `address:port` of the servers to ask; left out, those of the machine. */
  readonly servers?: readonly string[];
  readonly clock?: Clock;
}

const TRY_MS = 1500;
const TRIES = 2;
// Long enough for the second answer of a healthy server, short enough not to be heard when that one never comes.
const OTHER_FAMILY_MS = 250;

/**
 * Asks the name servers itself. The system's own look-up would hold one of the few threads that files and passwords need
 * too, for as long as a hostile name server likes, and could not be cancelled. It follows that `/etc/hosts` is not read.
 */
export function createDnsResolver({ servers, clock = systemClock }: DnsResolverOptions = {}): ResolveName {
  return async (name, signal) => {
    signal.throwIfAborted();
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES, maxTimeout: TRY_MS });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const timers: (() => void)[] = [];
    const hurryOther = (found: readonly string[]) => {
      timers.push(clock.setTimer(OTHER_FAMILY_MS, cancel));
      return found;
    };
    try {
      const [ipv6, ipv4] = await Promise.allSettled([
        resolver.resolve6(name).then(hurryOther),
        resolver.resolve4(name).then(hurryOther),
      ]);
      signal.throwIfAborted();
      const found = [ipv6, ipv4].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      if (found.length === 0) throw ipv4.status === "rejected" ? ipv4.reason : new Error(`${name} has no address`);
      return found;
    } finally {
      for (const stop of timers) stop();
      signal.removeEventListener("abort", cancel);
    }
  };
}
