import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeAddress } from "./judge-address.ts";
import { makePolicy, PUBLIC_PORTS } from "./outbound-policy.ts";
import { isPublicByRegistry, numberOf, textOf } from "./testing/address-registry.ts";

const strict = makePolicy({ allow: [], deny: [], ports: PUBLIC_PORTS });
const open = makePolicy({ allow: ["loopback", "0.0.0.0/0", "::/0"], deny: ["10.9.0.0/16"], ports: PUBLIC_PORTS });

describe("an address of a customer's URL", () => {
  it.each(["1.1.1.1", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "223.255.255.255"])(
    "%s is on the public internet",
    (address) => expect(judgeAddress(address, strict)).toBe("public"),
  );

  it.each(["2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "2001:200::1", "3ffe::1"])(
    "%s is on the public internet",
    (address) => expect(judgeAddress(address, strict)).toBe("public"),
  );

  it.each([
    ["this network", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["shared by a carrier's customers", "100.64.0.1"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link-local", "169.254.1.1"],
    ["cloud metadata", "169.254.169.254"],
    ["cloud metadata at Azure", "168.63.129.16"],
    ["cloud metadata at Alibaba", "100.100.100.200"],
    ["cloud metadata at Oracle", "192.0.0.192"],
    ["protocol assignments", "192.0.0.8"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["benchmarking", "198.19.255.255"],
    ["the relays of 6to4", "192.88.99.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["loopback", "::1"],
    ["unspecified", "::"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-compatible", "::5db8:d822"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped", "::ffff:93.184.216.34"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64", "64:ff9b::93.184.216.34"],
    ["local NAT64", "64:ff9b:1::a00:1"],
    ["discarded", "100::1"],
    ["Teredo", "2001::1"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff:fff::1"],
    ["6to4", "2002:7f00:1::1"],
    ["6to4", "2002:5db8:d822::1"],
    ["segment routing", "5f00::1"],
    ["unique local", "fc00::1"],
    ["unique local", "fd12:3456::1"],
    ["cloud metadata at Amazon", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
  ])("that is %s is refused: %s", (_kind, address) => expect(judgeAddress(address, strict)).toBe("refused"));

  it.each([
    "",
    "localhost",
    "127.1",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "1.1.1.1 ",
    "1.1.1.1/8",
    "fe80::1%eth0",
    "2606::1%1",
    "1.1.1",
  ])("is refused unless it is plainly one address: %j", (text) => expect(judgeAddress(text, open)).toBe("refused"));

  it("may be opened by the operator, except what the operator closed and where clouds hand out credentials", () => {
    expect(judgeAddress("127.0.0.1", open)).toBe("opened");
    expect(judgeAddress("10.0.0.1", open)).toBe("opened");
    expect(judgeAddress("fd12::1", open)).toBe("opened");
    for (const address of ["10.9.1.1", "169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192"]) {
      expect(judgeAddress(address, open)).toBe("refused");
    }
    for (const address of ["fd00:ec2::254", "fe80::1", "ff02::1", "::", "0.0.0.0"]) {
      expect(judgeAddress(address, open)).toBe("refused");
    }
  });

  it("in IPv6 does not count as opened because the IPv4 address inside it is", () => {
    const rules = makePolicy({ allow: ["127.0.0.0/8"], deny: [], ports: [] });
    expect(judgeAddress("::ffff:127.0.0.1", rules)).toBe("refused");
    expect(judgeAddress("64:ff9b::7f00:1", rules)).toBe("refused");
  });

  it("is judged as the registries of special addresses say, wherever it lies", () => {
    const anyIpv4 = fc.nat({ max: 2 ** 32 - 1 }).map((value) => textOf(4, BigInt(value)));
    const anyIpv6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((value) => textOf(6, value));
    fc.assert(
      fc.property(fc.oneof(anyIpv4, anyIpv6, nearABorder), (address) => {
        expect(judgeAddress(address, strict)).toBe(isPublicByRegistry(address) ? "public" : "refused");
      }),
      { numRuns: 5000 },
    );
  });
});

/** Addresses at the edges of special prefixes and inside them, where a wrong bit would show. */
const nearABorder = fc
  .constantFrom(
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
    ...["192.168.0.0/16", "198.18.0.0/15", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"],
    ...["::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2000::/3", "2001::/23", "2001:db8::/32"],
    ...["2002::/16", "3fff::/20", "2620:4f:8000::/48", "fc00::/7", "fe80::/10", "ff00::/8"],
  )
  .chain((prefix) => {
    const [network = "", bits = "0"] = prefix.split("/");
    const width = network.includes(":") ? 128n : 32n;
    const size = 1n << (width - BigInt(bits));
    const first = numberOf(network);
    const inside = fc.bigInt({ min: 0n, max: size - 1n });
    return fc.oneof(inside, fc.constantFrom(-1n, 0n, size - 1n, size)).map((offset) => {
      const value = first + offset;
      const last = (1n << width) - 1n;
      return textOf(width === 128n ? 6 : 4, value < 0n ? 0n : value > last ? last : value);
    });
  });
