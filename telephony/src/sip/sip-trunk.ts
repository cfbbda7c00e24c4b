import type { Credentials } from "./authentication/digest.ts";
import { bracketed } from "./message/uri.ts";
import { sentBy } from "./message/via.ts";
import type { TransportKind } from "./transport/sip-transport.ts";

/** The SIP settings of one trunk. */
export interface SipTrunk {
  /** A name or address: the host of the addresses we dial and, without a proxy, where requests go. */
  readonly host: string;
  /** Null asks DNS for the service, else takes the usual one. */
  readonly port: number | null;
  readonly transport: TransportKind;
  /** RFC 3261 section 8.1.2: a URI every request is sent to first, or null. */
  readonly outboundProxy: string | null;
  readonly credentials: Credentials | null;
  /** What From names instead of `host`. */
  readonly fromHost: string | null;
  /** Our address as the trunk sees it, where there is address translation. */
  readonly publicAddress: { readonly host: string; readonly port: number } | null;
  /** Whether the trunk opens connections to `publicAddress`, rather than using the one that we opened (TCP and TLS). */
  readonly listensForTrunk: boolean;
  /** Whether an INVITE too large for a datagram may go over TCP instead. */
  readonly allowsTcpForLarge: boolean;
  /**
   * Whether the caller's number is also stated in P-Asserted-Identity (RFC 3325), which only a trusted peer may rely
   * on.
   */
  readonly assertsIdentity: boolean;
  /** How long a request may stay without any response, provisional or final, before the trunk is abandoned. */
  readonly noResponseMs: number;
  /** RFC 4028: how long a call lives without a sign of life from the other end; null leaves that to the peer. */
  readonly sessionExpiresS: number | null;
  /** RFC 3262: whether ringing may be acknowledged. */
  readonly offersReliableRinging: boolean;
  /** Sends everything of a call to where its INVITE went, for trunks whose Contact cannot be reached. */
  readonly staysOnFirstHop: boolean;
}

export const TRUNK_DEFAULTS: Omit<SipTrunk, "host"> = {
  port: null,
  transport: "udp",
  outboundProxy: null,
  credentials: null,
  fromHost: null,
  publicAddress: null,
  listensForTrunk: false,
  allowsTcpForLarge: false,
  assertsIdentity: false,
  noResponseMs: 4_000,
  sessionExpiresS: 180,
  offersReliableRinging: true,
  staysOnFirstHop: false,
};

/** What the Via names instead of the transport's own address, where the trunk sees us at another. */
export function publicSentBy({ publicAddress }: SipTrunk): { readonly sentBy?: string } {
  if (publicAddress === null) return {};
  const { host, port } = publicAddress;
  return { sentBy: sentBy({ host: bracketed(host), port: port === 0 ? null : port }) };
}

/** `sip:user@host:port;transport=tcp`, as the Request-URI names the trunk. */
export function trunkUri(trunk: SipTrunk, user: string | null, transport: TransportKind = trunk.transport): string {
  const place = `${bracketed(trunk.host)}${trunk.port === null ? "" : `:${trunk.port}`}`;
  const how = transport === "udp" ? "" : `;transport=${transport}`;
  return `sip:${user === null ? "" : `${user}@`}${place}${how}`;
}

/** RFC 3261 section 8.1.2: the outbound proxy as a Route, loose whether or not the operator wrote `lr`. */
export function preloadedRoute(trunk: SipTrunk): readonly string[] {
  if (trunk.outboundProxy === null) return [];
  const uri = trunk.outboundProxy.replace(/^<|>$/g, "");
  return [`<${/;lr(?:[;=]|$)/i.test(uri) ? uri : `${uri};lr`}>`];
}
