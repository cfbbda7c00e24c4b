import { describe, expect, it } from "vitest";
import { parseUri, type SipUri } from "../message/uri.ts";
import { seededRandom } from "../testing/seeded-random.ts";
import { orderSrv, resolveTarget, type SrvRecord } from "./resolve-target.ts";

const SRV: Record<string, readonly SrvRecord[]> = {
  "_sip._udp.trunk.test": [
    { priority: 20, weight: 0, port: 5060, name: "backup.trunk.test" },
    { priority: 10, weight: 100, port: 5080, name: "main.trunk.test" },
  ],
  "_sips._tcp.trunk.test": [{ priority: 1, weight: 1, port: 5071, name: "main.trunk.test" }],
  "_sip._udp.closed.test": [{ priority: 0, weight: 0, port: 0, name: "." }],
};
const ADDRESSES: Record<string, readonly string[]> = {
  "main.trunk.test": ["192.0.2.1", "2001:db8::1"],
  "backup.trunk.test": ["192.0.2.2"],
  "plain.test": ["192.0.2.9"],
};
const asked: string[] = [];
const parts = {
  random: seededRandom(1),
  defaultTransport: "udp",
  resolver: {
    srv: async (name: string) => {
      asked.push(name);
      return SRV[name] ?? [];
    },
    addresses: async (name: string) => ADDRESSES[name] ?? [],
  },
} as const;

function sip(text: string): SipUri {
  const uri = parseUri(text);
  if (uri?.scheme !== "sip" && uri?.scheme !== "sips") throw new Error(text);
  return uri;
}

async function hops(text: string): Promise<string[]> {
  const found = await resolveTarget(sip(text), parts);
  return found.map(({ transport, address, port, serverName }) =>
    [transport, address, port, serverName].join(" ").trim(),
  );
}

describe("finding the machines behind a name", () => {
  it("uses an address directly, with the port of the transport", async () => {
    expect(await hops("sip:x@192.0.2.7")).toEqual(["udp 192.0.2.7 5060"]);
    expect(await hops("sip:[2001:db8::7];transport=tcp")).toEqual(["tcp 2001:db8::7 5060"]);
    expect(await hops("sips:192.0.2.7")).toEqual(["tls 192.0.2.7 5061 192.0.2.7"]);
  });

  it("looks up services where no port is named, preferred ones first", async () => {
    expect(await hops("sip:trunk.test")).toEqual(["udp 192.0.2.1 5080", "udp 2001:db8::1 5080", "udp 192.0.2.2 5060"]);
  });

  it("checks a TLS certificate for the name that was configured, not for the one DNS gave", async () => {
    expect(await hops("sip:trunk.test;transport=tls")).toContain("tls 192.0.2.1 5071 trunk.test");
  });

  it("does not ask for services where a port is named", async () => {
    asked.length = 0;
    expect(await hops("sip:plain.test:5099")).toEqual(["udp 192.0.2.9 5099"]);
    expect(asked).toEqual([]);
  });

  it("uses the plain addresses where there are no services", async () => {
    expect(await hops("sip:plain.test")).toEqual(["udp 192.0.2.9 5060"]);
  });

  it("finds nothing where the service is declared closed or the name does not exist", async () => {
    expect(await hops("sip:closed.test")).toEqual([]);
    expect(await hops("sip:nowhere.test")).toEqual([]);
  });

  it("draws among equals by weight", () => {
    const records = [1, 9].map((weight) => ({ priority: 1, weight, port: 1, name: `w${weight}` }));
    const random = seededRandom(7);
    const firsts = Array.from({ length: 1_000 }, () => orderSrv(records, random)[0]?.name);
    const heavy = firsts.filter((name) => name === "w9").length;
    expect(heavy).toBeGreaterThan(780);
    expect(heavy).toBeLessThan(950);
  });
});
