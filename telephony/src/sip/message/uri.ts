import { type Param, parseParams, writeParams } from "./params.ts";

/**
 * RFC 3261 section 19.1:  sip:user:password@host:port;uri-parameters?headers
 * The parts stay escaped as written, so that a URI round-trips unchanged.
 */
export interface SipUri {
  readonly scheme: "sip" | "sips";
  readonly user: string | null;
  readonly password: string | null;
  /** A name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number | null;
  readonly params: readonly Param[];
  /** What follows the question mark, uninterpreted. */
  readonly headers: string | null;
}

/** RFC 3966. */
interface TelUri {
  readonly scheme: "tel";
  readonly number: string;
  readonly params: readonly Param[];
}

/** Any other scheme is allowed in From and To; nothing can be sent to it. */
interface OtherUri {
  readonly scheme: "other";
  readonly text: string;
}

export type Uri = SipUri | TelUri | OtherUri;

const FORBIDDEN = /[\s<>"\p{Cc}]/u;
const HOST_AND_PORT = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?:[ \t]*:[ \t]*(\d{1,5}))?$/;
const TEL_NUMBER = /^\+?[0-9A-Fa-f*#().-]+$/;

export function parseUri(text: string): Uri | null {
  const colon = text.indexOf(":");
  if (colon < 1 || FORBIDDEN.test(text)) return null;
  const scheme = text.slice(0, colon).toLowerCase();
  const rest = text.slice(colon + 1);
  if (scheme === "sip" || scheme === "sips") return parseSipUri(scheme, rest);
  if (scheme === "tel") return parseTelUri(rest);
  return /^[a-z][a-z0-9+.-]*$/.test(scheme) && rest !== "" ? { scheme: "other", text } : null;
}

function parseSipUri(scheme: "sip" | "sips", text: string): SipUri | null {
  const at = text.indexOf("@");
  const userInfo = at < 0 ? null : text.slice(0, at);
  const afterUser = text.slice(at + 1);
  const question = afterUser.indexOf("?");
  const beforeHeaders = question < 0 ? afterUser : afterUser.slice(0, question);
  const semicolon = beforeHeaders.indexOf(";");
  const place = splitHostPort(semicolon < 0 ? beforeHeaders : beforeHeaders.slice(0, semicolon));
  if (place === null || userInfo === "") return null;
  const colon = userInfo === null ? -1 : userInfo.indexOf(":");
  return {
    scheme,
    user: userInfo === null || colon < 0 ? userInfo : userInfo.slice(0, colon),
    password: userInfo === null || colon < 0 ? null : userInfo.slice(colon + 1),
    host: place.host,
    port: place.port,
    params: semicolon < 0 ? [] : parseParams(beforeHeaders.slice(semicolon + 1)),
    headers: question < 0 ? null : afterUser.slice(question + 1),
  };
}

function parseTelUri(text: string): TelUri | null {
  const semicolon = text.indexOf(";");
  const number = semicolon < 0 ? text : text.slice(0, semicolon);
  if (!TEL_NUMBER.test(number)) return null;
  return { scheme: "tel", number, params: semicolon < 0 ? [] : parseParams(text.slice(semicolon + 1)) };
}

/** Reads `host`, `host:port`, `[::1]:port`, as in a URI and in a Via. */
export function splitHostPort(text: string): { readonly host: string; readonly port: number | null } | null {
  const match = HOST_AND_PORT.exec(text.trim());
  if (match?.[1] === undefined) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  return port !== null && port > 65_535 ? null : { host: match[1].toLowerCase(), port };
}

export function writeUri(uri: Uri): string {
  if (uri.scheme === "other") return uri.text;
  if (uri.scheme === "tel") return `tel:${uri.number}${writeParams(uri.params)}`;
  const password = uri.password === null ? "" : `:${uri.password}`;
  const userInfo = uri.user === null ? "" : `${uri.user}${password}@`;
  const port = uri.port === null ? "" : `:${uri.port}`;
  const headers = uri.headers === null ? "" : `?${uri.headers}`;
  return `${uri.scheme}:${userInfo}${uri.host}${port}${writeParams(uri.params)}${headers}`;
}

/** RFC 3261 section 25.1 `user`: everything outside this set is written as %HH of its UTF-8 bytes. */
export function escapeUser(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[A-Za-z0-9\-_.!~*'()&=+$,;?/]/.test(character)) return character;
      return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

/** Undoes %HH. A percent sign that is not followed by two digits is literal. */
export function unescapeUser(text: string): string {
  if (!text.includes("%")) return text;
  const bytes = Buffer.from(text);
  const out: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const digits = bytes.toString("latin1", at + 1, at + 3);
    if (bytes[at] === 0x25 && /^[0-9A-Fa-f]{2}$/.test(digits)) {
      out.push(Number.parseInt(digits, 16));
      at += 2;
    } else out.push(bytes[at] ?? 0);
  }
  return Buffer.from(out).toString();
}

/** An IPv6 address in URI form. */
export function bracketed(address: string): string {
  return address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
}

/** An IPv6 address in socket form. */
export function unbracketed(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}
