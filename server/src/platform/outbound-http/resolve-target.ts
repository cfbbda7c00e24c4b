import { isIPv6 } from "node:net";
import type { ResolveName } from "./dns-resolver.ts";
import { judgeAddress } from "./judge-address.ts";
import { OutboundFailure } from "./outbound-failure.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";
import { type OutboundTarget, requireVerdict } from "./read-target.ts";
import { untilAborted } from "./until-aborted.ts";

// RFC 6761 section 6.3: these names are the machine itself, and no name server is asked for them.
const LOCALHOST = /(?:^|\.)localhost$/;
const LOOPBACK = ["127.0.0.1", "::1"];

// Enough for every family and a few that are down; a name with a thousand addresses gets no thousand attempts.
const ADDRESSES_MAX = 6;

/**
 * Finds the addresses a target may be connected to, in the order to try them. One address of the name that must not be
 * reached refuses the name: whoever can make it lead inside once can make it do so always.
 */
export async function resolveTarget(
  target: OutboundTarget,
  policy: OutboundPolicy,
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = target.isAddress ? [target.host] : await addressesOf(target, resolve, signal);
  if (found.length === 0) throw noAddress(target, undefined);
  for (const address of found) requireVerdict(target, judgeAddress(address, policy), policy);
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
