import { describe, expect, it } from "vitest";
import { trunkTo } from "../testing/trunk-to.ts";
import { addressTrunk, type OwnAddresses } from "./own-addresses.ts";

const HOP = { transport: "udp", address: "127.0.0.1", port: 5060 } as const;
const SIP_PORTS = { udp: 5080, tcp: 5080, tls: 5081 };

describe("the address given to a trunk", () => {
  it("is the one we are bound to, or what the operator named", async () => {
    const own: OwnAddresses = { sipHost: "192.0.2.1", sipPorts: SIP_PORTS, rtpHost: "192.0.2.2" };
    expect(await addressTrunk(trunkTo(5060), HOP, own)).toMatchObject({
      sip: { publicAddress: null },
      mediaHost: "192.0.2.2",
    });
    const named = trunkTo(
      5060,
      { publicMediaHost: "203.0.113.9" },
      { publicAddress: { host: "203.0.113.8", port: 6_000 } },
    );
    expect(await addressTrunk(named, HOP, own)).toMatchObject({
      sip: { publicAddress: { host: "203.0.113.8", port: 6_000 } },
      mediaHost: "203.0.113.9",
    });
  });

  it("is the one that leads there when we are bound to all of them", async () => {
    const own: OwnAddresses = { sipHost: "0.0.0.0", sipPorts: SIP_PORTS, rtpHost: "0.0.0.0" };
    expect(await addressTrunk(trunkTo(5060), HOP, own)).toMatchObject({
      sip: { publicAddress: { host: "127.0.0.1", port: 5080 } },
      mediaHost: "127.0.0.1",
    });
  });
});
