import { type AgentCore, ALLOWED_METHODS } from "../agent-core.ts";
import { writeCSeq } from "../message/cseq.ts";
import type { HeaderLine, SipRequest } from "../message/message.ts";
import { isToken, quote } from "../message/quoted-text.ts";
import { bracketed, escapeUser } from "../message/uri.ts";
import { preloadedRoute, type SipTrunk, trunkUri } from "../sip-trunk.ts";
import type { Flow, TransportKind } from "../transport/sip-transport.ts";

/** RFC 4028 section 4: no session interval below this is accepted. */
export const MIN_SESSION_EXPIRES_S = 90;

/** Whom to call, as whom, with what. */
export interface InviteOrder {
  readonly trunk: SipTrunk;
  /** A number or a name at the trunk. */
  readonly to: string;
  /** Null calls anonymously. */
  readonly from: string | null;
  readonly displayName?: string;
  /** RFC 3323, RFC 3325: the callee does not learn the number; the trunk still does where it is asserted. */
  readonly hidesNumber?: boolean;
  /** Additional headers. Those this agent writes itself are not allowed. */
  readonly headers?: readonly HeaderLine[];
  readonly sdp: string;
}

/** What stays the same over every sending of one INVITE. */
export interface InviteIdentity {
  readonly callId: string;
  readonly localTag: string;
  readonly transport: TransportKind;
  readonly contactHost: string;
  readonly contactPort: number;
  /** RFC 5626 section 4.3: asks that requests of the call come by the connection that Contact names. */
  readonly isContactFlow?: boolean;
}

export interface InviteVariation {
  readonly cseqNumber: number;
  /** Raised when the peer finds it too short (422). */
  readonly sessionExpiresS: number | null;
  readonly minSessionExpiresS: number;
}

export function buildInvite(
  core: AgentCore,
  order: InviteOrder,
  identity: InviteIdentity,
  variation: InviteVariation,
): SipRequest {
  const { trunk } = order;
  const { sessionExpiresS } = variation;
  const supported = [trunk.offersReliableRinging ? "100rel" : "", sessionExpiresS === null ? "" : "timer"].filter(
    Boolean,
  );
  const headers: HeaderLine[] = [
    ...preloadedRoute(trunk).map((route): HeaderLine => ["Route", route]),
    ["Max-Forwards", "70"],
    ["From", `${localAddress(order)};tag=${identity.localTag}`],
    ["To", remoteAddress(order)],
    ["Call-ID", identity.callId],
    ["CSeq", writeCSeq({ number: variation.cseqNumber, method: "INVITE" })],
    ["Contact", contactOf(order, identity)],
    ["Allow", ALLOWED_METHODS],
    ...(supported.length === 0 ? [] : [["Supported", supported.join(", ")] as const]),
    ...(sessionExpiresS === null ? [] : sessionHeaders(sessionExpiresS, variation.minSessionExpiresS)),
    ...identityHeaders(order),
    ["User-Agent", core.softwareName],
    ...(order.headers ?? []).filter(isAllowedHeader),
    ["Content-Type", "application/sdp"],
  ];
  const user = escapeUser(order.to);
  const uri = `${trunkUri(trunk, user, identity.transport)}${isNumber(order.to) ? ";user=phone" : ""}`;
  return { kind: "request", method: "INVITE", uri, headers, body: Buffer.from(order.sdp) };
}

function sessionHeaders(expiresS: number, minS: number): readonly HeaderLine[] {
  return [
    ["Session-Expires", String(expiresS)],
    ["Min-SE", String(minS)],
  ];
}

function isNumber(text: string): boolean {
  return /^\+?[0-9*#]+$/.test(text);
}

/** From without its tag. RFC 3323 section 4.1 names the anonymous form. */
export function localAddress(order: InviteOrder): string {
  const { from, displayName, trunk } = order;
  if (from === null || order.hidesNumber === true) return '"Anonymous" <sip:anonymous@anonymous.invalid>';
  const host = bracketed(trunk.fromHost ?? trunk.host);
  const name = displayName === undefined || displayName === "" ? "" : `${quote(displayName)} `;
  return `${name}<sip:${escapeUser(from)}@${host}>`;
}

export function remoteAddress({ to, trunk }: InviteOrder): string {
  return `<sip:${escapeUser(to)}@${bracketed(trunk.host)}>`;
}

export function contactOf(order: InviteOrder, identity: InviteIdentity): string {
  const user = order.from === null || order.hidesNumber === true ? "" : `${escapeUser(order.from)}@`;
  const { contactHost: host, contactPort: port, transport, isContactFlow: isFlow = false } = identity;
  return contactUri(user, { host, port, isFlow }, transport);
}

/** Where the peer finds us for the requests of a call. */
export interface ContactPlace {
  readonly host: string;
  readonly port: number;
  /** Whether it is our end of a connection, at which nothing listens. */
  readonly isFlow: boolean;
}

/**
 * Nothing listens at our end of a connection, but a request to it goes by that connection, which also passes firewalls and
 * address translation (RFC 5923, RFC 5626). If the trunk was given a listening address, it is that address.
 */
export function contactPlace(trunk: SipTrunk, local: Flow, flow: Flow | null): ContactPlace {
  const { publicAddress, listensForTrunk } = trunk;
  if (flow === null || listensForTrunk) return { ...(publicAddress ?? local), isFlow: false };
  return { host: publicAddress?.host ?? flow.host, port: flow.port, isFlow: true };
}

export function contactUri(userAt: string, { host, port, isFlow }: ContactPlace, transport: TransportKind): string {
  const place = port === 0 ? bracketed(host) : `${bracketed(host)}:${port}`;
  const how = transport === "udp" ? "" : `;transport=${transport}`;
  return `<sip:${userAt}${place}${how}${isFlow ? ";ob" : ""}>`;
}

function identityHeaders(order: InviteOrder): readonly HeaderLine[] {
  const { trunk, from } = order;
  const lines: HeaderLine[] = [];
  if (trunk.assertsIdentity && from !== null) {
    lines.push(["P-Asserted-Identity", `<sip:${escapeUser(from)}@${bracketed(trunk.fromHost ?? trunk.host)}>`]);
  }
  if (order.hidesNumber === true || from === null) lines.push(["Privacy", "id"]);
  return lines;
}

const OWN_HEADERS: ReadonlySet<string> = new Set(
  ["Via", "From", "To", "Call-ID", "CSeq", "Contact", "Route", "Record-Route", "Max-Forwards", "Content-Length"]
    .concat([
      "Content-Type",
      "Authorization",
      "Proxy-Authorization",
      "Require",
      "Supported",
      "Allow",
      "Session-Expires",
    ])
    .concat(["Min-SE", "P-Asserted-Identity", "Privacy", "User-Agent"])
    .map((name) => name.toLowerCase()),
);

function isAllowedHeader([name, value]: HeaderLine): boolean {
  return isToken(name) && name.length > 1 && !OWN_HEADERS.has(name.toLowerCase()) && !/[\r\n\0]/.test(value);
}
