import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { SipTrunk } from "../sip/sip-trunk.ts";
import type { Hop } from "../sip/transport/sip-transport.ts";
import type { Trunk } from "./trunk.ts";

/** What our sockets are bound to. */
export interface OwnAddresses {
  readonly sipHost: string;
  readonly sipPorts: Readonly<Record<Hop["transport"], number>>;
  readonly rtpHost: string;
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
export async function addressTrunk(trunk: Trunk, hop: Hop, own: OwnAddresses): Promise<AddressedTrunk> {
  const needsSip = trunk.sip.publicAddress === null && isAnyAddress(own.sipHost);
  const needsMedia = trunk.publicMediaHost === null && isAnyAddress(own.rtpHost);
  const found = needsSip || needsMedia ? await sourceAddressTo(hop) : "";
  const publicAddress = needsSip ? { host: found, port: own.sipPorts[hop.transport] } : trunk.sip.publicAddress;
  // The operator's word that the trunk reaches us there counts only where something listens.
  const listensForTrunk = trunk.sip.publicAddress !== null && own.sipPorts[hop.transport] !== 0;
  return {
    sip: { ...trunk.sip, publicAddress, listensForTrunk },
    mediaHost: trunk.publicMediaHost ?? (needsMedia ? found : own.rtpHost),
  };
}

function isAnyAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}

/** Connecting a datagram socket sends nothing; it only asks the routing table. Rejects where no way leads there. */
export async function sourceAddressTo({ address, port }: Pick<Hop, "address" | "port">): Promise<string> {
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
