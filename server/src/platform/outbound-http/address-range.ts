import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

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

export function isInRange(address: Address, { network, prefixBits }: AddressRange): boolean {
  return address.kind() === network.kind() && address.match(network, prefixBits);
}

export function isInAny(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some((range) => isInRange(address, range));
}
