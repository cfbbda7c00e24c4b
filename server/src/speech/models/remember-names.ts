import type { Clock } from "@parley/time/clock";
import type { ResolveName } from "../../platform/outbound-http/dns-resolver.ts";

/**
 * Looks a name up once for a while, because the callee waits for every look-up. Only for names that nobody turns against
 * us: a customer's is asked for with each request.
 */
export function rememberNames(resolve: ResolveName, clock: Pick<Clock, "now">, keptMs: number): ResolveName {
  const known = new Map<string, { readonly addresses: readonly string[]; readonly untilMs: number }>();
  return async (name, signal) => {
    const kept = known.get(name);
    if (kept && kept.untilMs > clock.now()) return kept.addresses;
    const addresses = await resolve(name, signal);
    known.set(name, { addresses, untilMs: clock.now() + keptMs });
    return addresses;
  };
}
