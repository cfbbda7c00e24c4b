import type { Clock } from "@parley/time/clock";
import type { SipTransport, TransportKind } from "../sip/transport/sip-transport.ts";
import { openTcpTransport } from "../sip/transport/stream-transport.ts";
import { openTlsTransport } from "../sip/transport/tls.ts";
import { openUdpTransport } from "../sip/transport/udp.ts";
import type { SipCarrierOptions } from "./sip-carrier-options.ts";

type Ports = Readonly<Record<TransportKind, number>>;

export interface OpenedTransports {
  readonly transports: readonly SipTransport[];
  readonly ports: Ports;
  /** Null where there is no second address, or the machine has none of its family. */
  readonly second: { readonly address: string; readonly ports: Ports } | null;
}

/** What bind says on a machine without the family. */
const NO_SUCH_FAMILY: ReadonlySet<unknown> = new Set(["EAFNOSUPPORT", "EADDRNOTAVAIL", "EINVAL"]);

/** Opens all three kinds for each address, or none: if one is not available the others are closed and it rejects. */
export async function openTransports(
  clock: Clock,
  { sip, tls, secondAddress = null }: Pick<SipCarrierOptions, "sip" | "tls" | "secondAddress">,
): Promise<OpenedTransports> {
  const first = await openFamily(clock, sip, tls);
  if (secondAddress === null) return { ...first, second: null };
  try {
    const { transports, ports } = await openFamily(clock, { ...sip, address: secondAddress }, tls);
    return { ...first, transports: [...first.transports, ...transports], second: { address: secondAddress, ports } };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (secondAddress === "::" && NO_SUCH_FAMILY.has(code)) return { ...first, second: null };
    await Promise.all(first.transports.map((transport) => transport.close()));
    throw error;
  }
}

async function openFamily(
  clock: Clock,
  { address, port }: SipCarrierOptions["sip"],
  tls: SipCarrierOptions["tls"] = {},
): Promise<Pick<OpenedTransports, "transports" | "ports">> {
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
