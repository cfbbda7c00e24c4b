import { writeCSeq } from "../message/cseq.ts";
import {
  type HeaderLine,
  NO_BODY,
  type ReceivedRequest,
  type ReceivedResponse,
  type SipRequest,
} from "../message/message.ts";
import { parseNameAddr, tagOf } from "../message/name-addr.ts";
import { param } from "../message/params.ts";
import { cseqNumberOf, header, headerList, readAddresses } from "../message/read-headers.ts";
import { parseUri, type SipUri, writeUri } from "../message/uri.ts";

/**
 * RFC 3261 section 12: what both ends remember about a call, as a plain value. It survives JSON, so that another process
 * can end the call when this one is gone.
 */
export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** From and To as in our requests, without their tags. */
  readonly localAddress: string;
  readonly remoteAddress: string;
  /** The number of our last request. */
  readonly localCSeq: number;
  /** The number of the peer's last request, null before its first. */
  readonly remoteCSeq: number | null;
  /** Where requests are addressed: the peer's Contact. */
  readonly remoteTarget: string;
  /** The proxies that asked to stay on the path, as Route values, nearest first. */
  readonly routeSet: readonly string[];
  readonly isSecure: boolean;
}

/** RFC 3261 section 12.1.2. Null for ringing without a tag, which creates no dialog. */
export function dialogFromResponse(invite: SipRequest, response: ReceivedResponse): Dialog | null {
  const { to, callId, cseq } = response.essentials;
  // Our own values are taken from our request: a careless peer may have altered them in the response.
  const from = parseNameAddr(header(invite, "From") ?? "");
  const localTag = from === null ? null : tagOf(from);
  // RFC 3261 section 12.1.2: an answer of a peer from before 2002 may lack a tag, which then counts as empty.
  const remoteTag = tagOf(to) ?? (response.status >= 200 ? "" : null);
  const contact = readAddresses(response, "Contact")[0];
  if (localTag === null || remoteTag === null) return null;
  // A response may lack the Contact it should have; then the peer is where the INVITE was addressed.
  return {
    callId: header(invite, "Call-ID") ?? callId,
    localTag,
    remoteTag,
    localAddress: withoutTag(header(invite, "From") ?? ""),
    remoteAddress: withoutTag(header(invite, "To") ?? ""),
    localCSeq: cseqNumberOf(invite) ?? cseq.number,
    remoteCSeq: null,
    remoteTarget: contact?.uri.scheme === "sip" || contact?.uri.scheme === "sips" ? writeUri(contact.uri) : invite.uri,
    routeSet: headerList(response, "Record-Route").reverse(),
    isSecure: invite.uri.toLowerCase().startsWith("sips:"),
  };
}

function withoutTag(address: string): string {
  return address.replace(/\s*;\s*tag=[^;]*$/i, "");
}

export interface DialogRequest {
  readonly method: string;
  readonly headers?: readonly HeaderLine[];
  readonly body?: Buffer;
  /** For an ACK, which repeats the number of its INVITE. */
  readonly cseqNumber?: number;
}

/** RFC 3261 section 12.2.1.1: builds a request inside the dialog, and the dialog after sending it. */
export function buildDialogRequest(dialog: Dialog, wanted: DialogRequest): readonly [Dialog, SipRequest] {
  const number = wanted.cseqNumber ?? dialog.localCSeq + 1;
  const { uri, routes } = routeRequest(dialog.remoteTarget, dialog.routeSet);
  const headers: HeaderLine[] = [
    ...routes.map((route): HeaderLine => ["Route", route]),
    ["Max-Forwards", "70"],
    ["From", `${dialog.localAddress};tag=${dialog.localTag}`],
    ["To", dialog.remoteTag === "" ? dialog.remoteAddress : `${dialog.remoteAddress};tag=${dialog.remoteTag}`],
    ["Call-ID", dialog.callId],
    ["CSeq", writeCSeq({ number, method: wanted.method })],
    ...(wanted.headers ?? []),
  ];
  const request: SipRequest = { kind: "request", method: wanted.method, uri, headers, body: wanted.body ?? NO_BODY };
  return [{ ...dialog, localCSeq: Math.max(dialog.localCSeq, number) }, request];
}

/** RFC 3261 section 16.12.1.2: a first proxy without `lr` routes strictly and must be the Request-URI itself. */
function routeRequest(target: string, routeSet: readonly string[]): { uri: string; routes: readonly string[] } {
  const first = routeSet[0] === undefined ? null : sipUriOf(routeSet[0]);
  if (first === null || param(first.params, "lr") !== null) return { uri: target, routes: routeSet };
  const allowed = first.params.filter(({ name }) => name !== "method");
  return { uri: writeUri({ ...first, params: allowed, headers: null }), routes: [...routeSet.slice(1), `<${target}>`] };
}

/** RFC 3261 section 8.1.2: where a request is sent to, before DNS: its first loose route, else its Request-URI. */
export function nextHopUri(request: SipRequest): SipUri | null {
  const route = headerList(request, "Route")[0];
  const first = route === undefined ? null : sipUriOf(route);
  if (first !== null && param(first.params, "lr") !== null) return first;
  const uri = parseUri(request.uri);
  return uri?.scheme === "sip" || uri?.scheme === "sips" ? uri : null;
}

function sipUriOf(route: string): SipUri | null {
  const uri = parseNameAddr(route)?.uri;
  return uri?.scheme === "sip" || uri?.scheme === "sips" ? uri : null;
}

export function belongsTo(dialog: Dialog, { essentials }: ReceivedRequest): boolean {
  const { callId, from, to } = essentials;
  return callId === dialog.callId && (tagOf(from) ?? "") === dialog.remoteTag && tagOf(to) === dialog.localTag;
}

/**
 * RFC 3261 section 12.2.2: takes a request of the peer in. Null when it is older than one that came before. Only the
 * requests that may move the target (INVITE, UPDATE, and NOTIFY or REFER in their own dialogs) do so.
 */
export function takeRequest(dialog: Dialog, request: ReceivedRequest): Dialog | null {
  const { number } = request.essentials.cseq;
  if (dialog.remoteCSeq !== null && number <= dialog.remoteCSeq) return null;
  const moved = request.method === "INVITE" || request.method === "UPDATE" ? retarget(dialog, request) : dialog;
  return { ...moved, remoteCSeq: number };
}

/** RFC 3261 section 12.2.1.2: a 2xx to a request that refreshes the target may bring a new Contact. */
export function retarget(dialog: Dialog, message: ReceivedRequest | ReceivedResponse): Dialog {
  const uri = readAddresses(message, "Contact")[0]?.uri;
  return uri?.scheme === "sip" || uri?.scheme === "sips" ? { ...dialog, remoteTarget: writeUri(uri) } : dialog;
}
