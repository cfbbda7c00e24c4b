/**
 * An independent opinion on which addresses are public: the prefixes as numbers, compared by shifting, with nothing in common
 * with the code that is examined.
 */
const NOT_PUBLIC: readonly (readonly [version: 4 | 6, first: bigint, bits: bigint])[] = [
  [4, 0x00000000n, 8n],
  [4, 0x0a000000n, 8n],
  [4, 0x64400000n, 10n],
  [4, 0x7f000000n, 8n],
  [4, 0xa9fe0000n, 16n],
  [4, 0xac100000n, 12n],
  [4, 0xc0000000n, 24n],
  [4, 0xc0000200n, 24n],
  [4, 0xc01fc400n, 24n],
  [4, 0xc034c100n, 24n],
  [4, 0xc0586300n, 24n],
  [4, 0xc0a80000n, 16n],
  [4, 0xc0af3000n, 24n],
  [4, 0xc6120000n, 15n],
  [4, 0xc6336400n, 24n],
  [4, 0xcb007100n, 24n],
  [4, 0xe0000000n, 3n],
  [4, 0xa83f8110n, 32n],
  // Everything outside 2000::/3, written as the seven other eighths.
  [6, 0n, 3n],
  [6, 0b010n << 125n, 3n],
  [6, 0b011n << 125n, 3n],
  [6, 0b100n << 125n, 3n],
  [6, 0b101n << 125n, 3n],
  [6, 0b110n << 125n, 3n],
  [6, 0b111n << 125n, 3n],
  [6, 0x2001n << 112n, 23n],
  [6, 0x20010db8n << 96n, 32n],
  [6, 0x2002n << 112n, 16n],
  [6, 0x2620004f8000n << 80n, 48n],
  [6, 0x3fffn << 112n, 20n],
];

export function isPublicByRegistry(address: string): boolean {
  const version = address.includes(":") ? 6 : 4;
  const width = version === 4 ? 32n : 128n;
  const value = numberOf(address);
  return !NOT_PUBLIC.some(
    ([listed, first, bits]) => listed === version && value >> (width - bits) === first >> (width - bits),
  );
}

/** Reads `1.2.3.4` or IPv6 in hexadecimal groups, with or without `::`. */
export function numberOf(address: string): bigint {
  if (!address.includes(":")) return address.split(".").reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  const [head = "", tail] = address.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = new Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...gap, ...back].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

export function textOf(version: 4 | 6, value: bigint): string {
  const [groups, bits, radix, joint] = version === 4 ? [4, 8n, 10, "."] : [8, 16n, 16, ":"];
  return Array.from({ length: Number(groups) }, (_, index) =>
    ((value >> (BigInt(Number(groups) - 1 - index) * BigInt(bits))) & ((1n << BigInt(bits)) - 1n)).toString(
      Number(radix),
    ),
  ).join(String(joint));
}
