import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIP, isIPv6 } from "node:net";
import type { SipTrunk } from "../../sip/sip-trunk.ts";
import type { Hop } from "../../sip/transport/sip-transport.ts";
import type { Trunk } from "./trunk.ts";

/** What our sockets of one family of addresses are bound to. */
interface FamilyAddresses {
  readonly sipHost: string;
  readonly sipPorts: Readonly<Record<Hop["transport"], number>>;
  readonly rtpHost: string;
}

export interface OwnAddresses extends FamilyAddresses {
  /** The same of the other family, where we have one. */
  readonly second?: FamilyAddresses | null;
}

/** A trunk, and the addresses at which it finds us. */
export interface AddressedTrunk {
  readonly sip: SipTrunk;
  readonly mediaHost: string;
}

/**
 * A socket bound to all addresses has none that could be named to a peer. Unless the operator named one, it is the one
 * from which this machine would send to that trunk.
 */
export async function addressTrunk(trunk: Trunk, hop: Hop, addresses: OwnAddresses): Promise<AddressedTrunk> {
  const own = [addresses, addresses.second ?? null].find((each) => each !== null && isSameFamily(each.sipHost, hop));
  if (own === undefined || own === null) throw new Error(`this machine has no address to reach ${hop.address} from`);
  // An address of the other family is of no use to this trunk, whatever its origin.
  const named = trunk.sip.publicAddress;
  const usableSip = named !== null && isSameFamily(named.host, hop) ? named : null;
  const usableMedia =
    trunk.publicMediaHost !== null && isSameFamily(trunk.publicMediaHost, hop) ? trunk.publicMediaHost : null;
  const needsSip = usableSip === null && isAnyAddress(own.sipHost);
  const needsMedia = usableMedia === null && isAnyAddress(own.rtpHost);
  const found = needsSip || needsMedia ? await sourceAddressTo(hop) : "";
  const publicAddress = needsSip ? { host: found, port: own.sipPorts[hop.transport] } : usableSip;
  // The operator's word that the trunk reaches us there counts only where something listens.
  const listensForTrunk = usableSip !== null && own.sipPorts[hop.transport] !== 0;
  return {
    sip: { ...trunk.sip, publicAddress, listensForTrunk },
    mediaHost: usableMedia ?? (needsMedia ? found : own.rtpHost),
  };
}

/** A name may resolve to either. */
function isSameFamily(host: string, { address }: Hop): boolean {
  return isIP(host) === 0 || isIPv6(host) === isIPv6(address);
}

function isAnyAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

/** Connecting a datagram socket sends nothing; it only asks the routing table. Rejects where there is no route. */
async function sourceAddressTo({ address, port }: Pick<Hop, "address" | "port">): Promise<string> {
  const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
  try {
    const connected = once(socket, "connect");
    socket.connect(port === 0 ? 5060 : port, address);
    await connected;
    return socket.address().address;
  } finally {
    socket.close();
  }
}
