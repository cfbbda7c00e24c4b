import { Resolver } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { type Clock, systemClock } from "@parley/time/clock";
import { judgeAddress } from "./judge-address.ts";
import { OutboundFailure } from "./outbound-failure.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { type OutboundTarget, requireDecision } from "./read-target.ts";

// RFC 6761 section 6.3: these names are the machine itself, and no name server is queried for them.
const LOCALHOST = /(?:^|\.)localhost$/;
const LOOPBACK = ["127.0.0.1", "::1"];

// Enough for every family and a few that are down; a name with a thousand addresses gets no thousand attempts.
const ADDRESSES_MAX = 6;

/**
 * Finds the addresses a target may be connected to, in the order to try them. One address of the name that must not be
 * reached rejects the name: an attacker who can make it resolve to an internal address once can do so always.
 */
export async function resolveTarget(
  target: OutboundTarget,
  policy: OutboundPolicy,
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = target.isAddress ? [target.host] : await addressesOf(target, resolve, signal);
  if (found.length === 0) throw noAddress(target, undefined);
  for (const address of found) requireDecision(target, judgeAddress(address, policy), policy);
  return interleave(found).slice(0, ADDRESSES_MAX);
}

async function addressesOf(
  target: OutboundTarget,
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (LOCALHOST.test(target.host)) return LOOPBACK;
  try {
    return await untilAborted(resolve(target.host, signal), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw noAddress(target, error);
  }
}

function noAddress({ host }: OutboundTarget, cause: unknown): OutboundFailure {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  const isUnknown = cause === undefined || code === "ENOTFOUND" || code === "ENODATA";
  const message = isUnknown ? `There is no address for the name ${host}.` : `The name ${host} could not be looked up.`;
  return new OutboundFailure("dns_failed", message, { cause });
}

/** Both families by turns, IPv6 first (RFC 8305 section 4): where one of them leads nowhere, the other is next. */
function interleave(addresses: readonly string[]): string[] {
  const ipv6 = addresses.filter((address) => isIPv6(address));
  const ipv4 = addresses.filter((address) => !isIPv6(address));
  const longest = ipv6.length > ipv4.length ? ipv6 : ipv4;
  return longest.flatMap((_, index) => [ipv6[index], ipv4[index]].filter((address) => address !== undefined));
}

/** Waits for work that may not listen to the signal itself. What it still gives after an abort is dropped. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  return promise;
}

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
