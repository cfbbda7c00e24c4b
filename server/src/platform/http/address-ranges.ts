import ipaddr from "ipaddr.js";

/** Whether an address is one of the list or inside one of its CIDR ranges. IPv4 inside IPv6 counts as IPv4. */
export function isAddressAllowed(ip: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((range) => {
    const [network, bits] = range.includes("/") ? ipaddr.parseCIDR(range) : [ipaddr.process(range), null];
    if (network.kind() !== address.kind()) return false;
    return address.match(network, bits ?? (address.kind() === "ipv4" ? 32 : 128));
  });
}
