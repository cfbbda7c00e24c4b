import type { Clock } from "../clock.ts";
import type { SipTransport, TransportKind } from "../sip/transport/sip-transport.ts";
import { openTcpTransport } from "../sip/transport/tcp.ts";
import { openTlsTransport } from "../sip/transport/tls.ts";
import { openUdpTransport } from "../sip/transport/udp.ts";
import type { SipCarrierOptions } from "./sip-carrier-options.ts";

export interface OpenedTransports {
  readonly transports: readonly SipTransport[];
  readonly ports: Readonly<Record<TransportKind, number>>;
}

/** Opens all three kinds, or none: when one cannot be had the others are closed and it rejects. */
export async function openTransports(
  clock: Clock,
  { sip, tls = {} }: Pick<SipCarrierOptions, "sip" | "tls">,
): Promise<OpenedTransports> {
  const { address, port } = sip;
  const { key, cert, ca } = tls;
  const own = key === undefined || cert === undefined ? {} : { own: { key, certificate: cert } };
  const trusted = ca === undefined ? {} : { trusted: [ca] };
  const tlsPort = port === 0 ? 0 : port + 1;
  const transports: SipTransport[] = [];
  try {
    transports.push(await openUdpTransport({ address, port }));
    transports.push(await openTcpTransport({ clock, address, port }));
    transports.push(await openTlsTransport({ clock, address, port: tlsPort, ...own, ...trusted }));
  } catch (error) {
    await Promise.all(transports.map((transport) => transport.close()));
    throw error;
  }
  const portOf = (kind: TransportKind) => transports.find((transport) => transport.kind === kind)?.local.port ?? 0;
  return { transports, ports: { udp: portOf("udp"), tcp: portOf("tcp"), tls: portOf("tls") } };
}
