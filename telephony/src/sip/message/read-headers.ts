import { parseCSeq } from "./cseq.ts";
import type { HeaderLine, SipMessage } from "./message.ts";
import { type NameAddr, parseNameAddr } from "./name-addr.ts";
import { type Param, parseParams } from "./params.ts";
import { splitOutside } from "./quoted-text.ts";
import { parseVia, type Via } from "./via.ts";

type WithHeaders = Pick<SipMessage, "headers">;

/** Every line of this name as it stood. The authentication fields must be read so: their commas separate parameters. */
export function headerLines({ headers }: WithHeaders, name: string): string[] {
  return headers.filter((line) => line[0] === name).map((line) => line[1]);
}

export function header(message: WithHeaders, name: string): string | null {
  return message.headers.find((line) => line[0] === name)?.[1] ?? null;
}

/** RFC 3261 section 7.3.1: several values may be on one line or on several; both are equivalent. */
export function headerList(message: WithHeaders, name: string): string[] {
  return headerLines(message, name)
    .flatMap((line) => splitOutside(line, ","))
    .filter((value) => value !== "");
}

/** The option tags or methods of Supported, Require, Allow and their like. */
export function headerTokens(message: WithHeaders, name: string): ReadonlySet<string> {
  return new Set(headerList(message, name).map((token) => token.trim()));
}

export function readVias(message: WithHeaders): Via[] {
  return headerList(message, "Via").flatMap((value) => parseVia(value) ?? []);
}

/** Addresses that cannot be read are left out. */
export function readAddresses(message: WithHeaders, name: string): NameAddr[] {
  return headerList(message, name).flatMap((value) => parseNameAddr(value) ?? []);
}

/** The number at the start of Expires, Min-SE, RSeq, Retry-After and their like; null when there is none. */
export function headerNumber(message: WithHeaders, name: string): number | null {
  const match = /^\s*(\d{1,10})(?!\d)/.exec(header(message, name) ?? "");
  return match === null ? null : Number(match[1]);
}

/** `value;parameters`, as in Session-Expires, Subscription-State, Event, Reason and Content-Type. */
export function headerWithParams(message: WithHeaders, name: string): { value: string; params: Param[] } | null {
  const text = header(message, name);
  if (text === null) return null;
  const semicolon = text.indexOf(";");
  if (semicolon < 0) return { value: text.trim(), params: [] };
  return { value: text.slice(0, semicolon).trim(), params: parseParams(text.slice(semicolon + 1)) };
}

export function contentType(message: WithHeaders): string {
  return headerWithParams(message, "Content-Type")?.value.toLowerCase() ?? "";
}

/** The session description a message brings, or null. */
export function sdpOf(message: SipMessage): string | null {
  if (message.body.length === 0 || contentType(message) !== "application/sdp") return null;
  return message.body.toString();
}

export function withoutHeader(headers: readonly HeaderLine[], name: string): HeaderLine[] {
  return headers.filter((line) => line[0] !== name);
}

/** The number of our request, whatever a response repeats. */
export function cseqNumberOf(request: WithHeaders): number | null {
  return parseCSeq(header(request, "CSeq") ?? "")?.number ?? null;
}
