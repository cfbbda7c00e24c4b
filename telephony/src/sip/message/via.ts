import { type Param, param, parseParams, writeParams } from "./params.ts";
import { splitHostPort } from "./uri.ts";

/** RFC 3261 section 20.42:  SIP/2.0/UDP host:port;branch=z9hG4bK776asdhds;rport */
export interface Via {
  readonly transport: string;
  readonly host: string;
  readonly port: number | null;
  readonly params: readonly Param[];
}

const SENT_PROTOCOL = /^SIP[ \t]*\/[ \t]*2\.0[ \t]*\/[ \t]*([A-Za-z0-9\-.!%*_+`'~]+)[ \t]+(.+)$/is;

export function parseVia(text: string): Via | null {
  const match = SENT_PROTOCOL.exec(text.trim());
  if (match?.[1] === undefined || match[2] === undefined) return null;
  const semicolon = match[2].indexOf(";");
  const place = splitHostPort(semicolon < 0 ? match[2] : match[2].slice(0, semicolon));
  if (place === null) return null;
  const params = semicolon < 0 ? [] : parseParams(match[2].slice(semicolon + 1));
  return { transport: match[1].toUpperCase(), host: place.host, port: place.port, params };
}

export function writeVia({ transport, host, port, params }: Via): string {
  return `SIP/2.0/${transport} ${sentBy({ host, port })}${writeParams(params)}`;
}

export function sentBy({ host, port }: Pick<Via, "host" | "port">): string {
  return port === null ? host : `${host}:${port}`;
}

/** RFC 3261 section 8.1.1.7: branches that begin so are unique; others come from before 2002. */
export const BRANCH_COOKIE = "z9hG4bK";

export function branchOf(via: Via): string | null {
  return param(via.params, "branch");
}
