import ipaddr from "ipaddr.js";

export type AddressKind = "loopback" | "private" | "public";

/** The scope of an address: this machine, this network, or public. Names and unreadable addresses count as public. */
export function addressKindOf(address: string): AddressKind {
  if (!ipaddr.isValid(address)) return "public";
  const range = ipaddr.process(address).range();
  if (range === "loopback") return "loopback";
  // RFC 1918, RFC 4193, RFC 6598 and addresses that hold on one link only.
  const inside = ["private", "uniqueLocal", "carrierGradeNat", "linkLocal", "unspecified"];
  return inside.includes(range) ? "private" : "public";
}

/** Whether the one address cannot be reached from the other. */
export function isOutOfReach(address: string, from: string): boolean {
  const rank = { loopback: 0, private: 1, public: 2 } as const;
  return rank[addressKindOf(address)] < rank[addressKindOf(from)];
}
