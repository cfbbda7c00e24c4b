import { lookup, Resolver } from "node:dns/promises";
import type { NameResolver } from "./resolve-target.ts";

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
