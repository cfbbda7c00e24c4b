import { preloadedRoute, type SipTrunk, trunkUri } from "@parley/telephony/sip/sip-trunk";
import { resolveTarget } from "@parley/telephony/sip/transport/resolve-target";
import { parseUri } from "@parley/telephony/sip/uri";
import type { NameFacts } from "./facts.ts";
import type { DoctorSurroundings } from "./surroundings.ts";

/** RFC 3263: where requests to the trunk go. */
export async function probeNames(
  { resolver, random }: Pick<DoctorSurroundings, "resolver" | "random">,
  sip: SipTrunk,
): Promise<NameFacts> {
  const [route] = preloadedRoute(sip);
  const uri = parseUri(route === undefined ? trunkUri(sip, null) : route.slice(1, -1));
  if (uri?.scheme !== "sip" && uri?.scheme !== "sips") return { kind: "unknown" };
  try {
    const hops = await resolveTarget(uri, { resolver, random, defaultTransport: sip.transport });
    return hops.length > 0 ? { kind: "found", hops } : { kind: "unknown" };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}
