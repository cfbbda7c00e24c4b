import { type Param, param, parseParams, withParam, writeParams } from "./params.ts";
import { endOfQuoted, isToken, quote, unquote } from "./quoted-text.ts";
import { parseUri, type Uri, writeUri } from "./uri.ts";

/** RFC 3261 section 20.10:  "Display Name" <sip:user@host>;tag=1  as in From, To, Contact, Route and Refer-To. */
export interface NameAddr {
  readonly displayName: string | null;
  readonly uri: Uri;
  /** The parameters of the header field, not of the URI. */
  readonly params: readonly Param[];
}

export function parseNameAddr(text: string): NameAddr | null {
  const trimmed = text.trim();
  const nameEnd = trimmed.startsWith('"') ? endOfQuoted(trimmed, 0) : 0;
  if (nameEnd < 0) return null;
  const open = trimmed.indexOf("<", nameEnd);
  return open < 0 ? parseBareAddress(trimmed) : parseBracketed(trimmed, open);
}

function parseBracketed(text: string, open: number): NameAddr | null {
  const close = text.indexOf(">", open);
  if (close < 0) return null;
  const uri = parseUri(text.slice(open + 1, close).trim());
  const after = text.slice(close + 1).trim();
  if (uri === null || (after !== "" && !after.startsWith(";"))) return null;
  const name = text.slice(0, open).trim();
  return { displayName: name === "" ? null : unquote(name), uri, params: parseParams(after.slice(1)) };
}

/** RFC 3261 section 20.10: without angle brackets what follows a semicolon belongs to the header, not to the URI. */
function parseBareAddress(text: string): NameAddr | null {
  const semicolon = text.indexOf(";");
  const uri = parseUri((semicolon < 0 ? text : text.slice(0, semicolon)).trim());
  if (uri === null) return null;
  return { displayName: null, uri, params: semicolon < 0 ? [] : parseParams(text.slice(semicolon + 1)) };
}

export function writeNameAddr({ displayName, uri, params }: NameAddr): string {
  return `${displayName === null ? "" : `${writeDisplayName(displayName)} `}<${writeUri(uri)}>${writeParams(params)}`;
}

function writeDisplayName(name: string): string {
  return name.split(" ").every(isToken) ? name : quote(name);
}

export function tagOf(address: NameAddr): string | null {
  return param(address.params, "tag");
}

export function withTag(address: NameAddr, tag: string): NameAddr {
  return { ...address, params: withParam(address.params, "tag", tag) };
}
