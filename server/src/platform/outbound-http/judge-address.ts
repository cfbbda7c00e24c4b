import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** `public` is on the internet; `opened` may not be, but the operator allows it, also without TLS. */
export type AddressDecision = "public" | "opened" | "refused";

export interface AddressRules {
  /** What the operator opened. */
  readonly openedRanges: readonly AddressRange[];
  /** What the operator closed; it wins over everything. */
  readonly closedRanges: readonly AddressRange[];
}

// The registries of special-purpose addresses (RFC 6890, as kept by IANA), multicast (RFC 5771) and what is reserved
// (RFC 1112 section 4). The few anycast services among them that can be reached from anywhere hold no customer's server.
const NOT_PUBLIC_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map(parseRange);

// RFC 4291 section 2.4 leaves the rest of the space outside: loopback, `::/96`, IPv4-mapped, both NAT64 prefixes (RFC 6052
// and RFC 8215), unique local, link-local and multicast addresses are not in here.
const GLOBAL_UNICAST_IPV6 = parseRange("2000::/3");

// Inside it: protocol assignments with Teredo and ORCHID, documentation (RFC 3849 and RFC 9637), 6to4 (RFC 3056), AS112.
const NOT_PUBLIC_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"].map(parseRange);

// Cloud metadata addresses, and addresses that are not a single host. No setting allows them.
const NEVER_REACHED = [
  "169.254.0.0/16",
  "fe80::/10",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::/32",
  "fd20:ce::254",
  "fd00:42::42",
  "0.0.0.0/8",
  "::",
  "224.0.0.0/4",
  "255.255.255.255",
  "ff00::/8",
].map(parseRange);

/** Decides whether an address may be connected to. What is not surely one plain address is refused. */
export function judgeAddress(text: string, { openedRanges, closedRanges }: AddressRules): AddressDecision {
  // A zone (`fe80::1%eth0`) names an interface of this machine, and parts in octal or hex are read differently elsewhere.
  if (isIP(text) === 0 || text.includes("%")) return "refused";
  const address = ipaddr.parse(text);
  if (isInAny(address, closedRanges) || isInAny(address, NEVER_REACHED)) return "refused";
  if (isInAny(address, openedRanges)) return "opened";
  const isPublic =
    address.kind() === "ipv4"
      ? !isInAny(address, NOT_PUBLIC_IPV4)
      : isInAny(address, [GLOBAL_UNICAST_IPV6]) && !isInAny(address, NOT_PUBLIC_IPV6);
  return isPublic ? "public" : "refused";
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that begin alike. IPv4 inside IPv6 is IPv6 here: the two are never taken for each other. */
export interface AddressRange {
  readonly network: Address;
  readonly prefixBits: number;
}

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address. Throws on anything else. */
export function parseRange(text: string): AddressRange {
  if (text.includes("/")) {
    const [network, prefixBits] = ipaddr.parseCIDR(text);
    return { network, prefixBits };
  }
  const network = ipaddr.parse(text);
  return { network, prefixBits: network.kind() === "ipv4" ? 32 : 128 };
}

function isInRange(address: Address, { network, prefixBits }: AddressRange): boolean {
  return address.kind() === network.kind() && address.match(network, prefixBits);
}

function isInAny(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some((range) => isInRange(address, range));
}
