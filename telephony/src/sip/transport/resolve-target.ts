import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { param } from "../message/params.ts";
import { type SipUri, unbracketed } from "../message/uri.ts";
import type { RandomSource } from "../random-source.ts";
import type { Hop, TransportKind } from "./sip-transport.ts";

export interface SrvRecord {
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly name: string;
}

/** DNS as a parameter. A name that does not exist yields an empty list; a resolver that fails rejects. */
export interface NameResolver {
  srv(name: string): Promise<readonly SrvRecord[]>;
  /** IPv4 and IPv6 addresses, in the order they should be tried. */
  addresses(name: string): Promise<readonly string[]>;
}

export interface TargetParts {
  readonly resolver: NameResolver;
  readonly random: RandomSource;
  /** Taken when the URI names none. NAPTR is not asked: a trunk's transport is configured. */
  readonly defaultTransport: TransportKind;
}

/** The maximum number of addresses tried per name. */
const HOPS_MAX = 16;

/** RFC 3263 section 4: the places to try for a URI, best first. Empty when there are none; rejects when DNS fails. */
export async function resolveTarget(uri: SipUri, parts: TargetParts): Promise<readonly Hop[]> {
  const host = unbracketed(param(uri.params, "maddr") || uri.host);
  const transport = transportOf(uri, parts.defaultTransport);
  const hopTo = (address: string, port: number): Hop => ({
    transport,
    address,
    port,
    ...(transport === "tls" ? { serverName: host } : {}),
  });
  const defaultPort = transport === "tls" ? 5061 : 5060;
  if (isIP(host) !== 0) return [hopTo(host, uri.port ?? defaultPort)];
  // RFC 3263 section 4.2: an explicit port means that SRV is not asked.
  const records = uri.port === null ? orderSrv(await parts.resolver.srv(srvName(host, transport)), parts.random) : [];
  // RFC 2782: a single record whose target is the root says that the service is not offered.
  if (records.length === 1 && (records[0]?.name === "." || records[0]?.name === "")) return [];
  const places = records.length > 0 ? records : [{ name: host, port: uri.port ?? defaultPort }];
  const hops: Hop[] = [];
  for (const { name, port } of places) {
    for (const address of await parts.resolver.addresses(name)) hops.push(hopTo(address, port));
    if (hops.length >= HOPS_MAX) break;
  }
  return hops.slice(0, HOPS_MAX);
}

export function transportOf(uri: SipUri, fallback: TransportKind): TransportKind {
  const named = param(uri.params, "transport")?.toLowerCase();
  // RFC 3261 section 26.2.2: sips means TLS on every hop, whatever transport the URI adds.
  if (uri.scheme === "sips" || named === "tls") return "tls";
  if (named === "udp" || named === "tcp") return named;
  return fallback;
}

function srvName(host: string, transport: TransportKind): string {
  return transport === "tls" ? `_sips._tcp.${host}` : `_sip._${transport}.${host}`;
}

/** RFC 2782: lowest priority first; among equals each is drawn with a chance that follows its weight. */
export function orderSrv(records: readonly SrvRecord[], random: RandomSource): SrvRecord[] {
  const ordered: SrvRecord[] = [];
  const priorities = [...new Set(records.map(({ priority }) => priority))].sort((a, b) => a - b);
  for (const wanted of priorities) {
    // Records of weight zero come first, so that they are drawn only when the others leave them a chance.
    const left = records.filter(({ priority }) => priority === wanted).sort((a, b) => a.weight - b.weight);
    while (left.length > 0) {
      const total = left.reduce((sum, { weight }) => sum + weight, 0);
      let draw = Math.floor(random.fraction() * (total + 1));
      let at = 0;
      while (at < left.length - 1 && draw > (left[at]?.weight ?? 0)) {
        draw -= left[at]?.weight ?? 0;
        at += 1;
      }
      ordered.push(...left.splice(at, 1));
    }
  }
  return ordered;
}

const NOT_THERE: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "NXDOMAIN", "ENONAME"]);
const QUERY_TIMEOUT_MS = 2_000;

/**
 * Asks the machine's name servers, and for addresses its hosts file too. IPv4 comes first: a trunk that offers both is
 * reached over IPv4 from far more places.
 */
export function createDnsResolver(): NameResolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 });
  return {
    srv: (name) => orEmpty(resolver.resolveSrv(name)),
    async addresses(name) {
      const found = await orEmpty(lookup(name, { all: true, order: "ipv4first" }));
      return found.map(({ address }) => address);
    },
  };
}

async function orEmpty<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && "code" in error && NOT_THERE.has(String(error.code))) return [];
    throw error;
  }
}
