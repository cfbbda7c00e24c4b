import { z } from "zod";

// Letters, digits, hyphens and, as names inside a network often have, underscores.
const LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;
const HOST_CHARS_MAX = 253;

/** A host name or an IP address; IPv6 without brackets. A name whose last part is all digits is a mistyped address. */
export function isHost(text: string): boolean {
  if (isIpAddress(text)) return true;
  const labels = text.split(".");
  return (
    text.length <= HOST_CHARS_MAX && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "")
  );
}

export function isIpAddress(text: string): boolean {
  return z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success;
}

const PROXY =
  /^sips?:(\[[^\]]+\]|[^:;?@<>\s]+)(?::(\d{1,5}))?((?:;[A-Za-z0-9\-_.!~*'%+]+(?:=[A-Za-z0-9\-_.!~*'%+]+)?)*)$/i;

/** RFC 3261 section 19.1.1, as far as the address of a proxy goes: no user part, no headers. */
export function isProxyUri(text: string): boolean {
  const [matched, host = "", port, params = ""] = PROXY.exec(text) ?? [];
  if (matched === undefined) return false;
  const isKnownHost = host.startsWith("[") ? z.ipv6().safeParse(host.slice(1, -1)).success : isHost(host);
  const isKnownPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  const transports = params.split(";").filter((param) => /^transport(?:=|$)/i.test(param));
  return isKnownHost && isKnownPort && transports.every((param) => /^transport=(?:udp|tcp|tls)$/i.test(param));
}

export const HostName = z
  .string()
  .max(HOST_CHARS_MAX)
  .refine(isHost, "must be a host name or an IP address, without sip: and without a port")
  .meta({ example: "sip.example.com" });

export const IpAddress = z
  .string()
  .max(45)
  .refine(isIpAddress, "must be an IP address")
  .meta({ example: "203.0.113.10" });

export const Port = z.int().min(1).max(65_535);

export const ProxyUri = z
  .string()
  .max(300)
  .refine(isProxyUri, "must be a SIP address such as sip:proxy.example.com:5060;transport=tcp")
  .meta({ example: "sip:proxy.example.com:5060;transport=tcp" });

/** Text that is put into messages on the network, where a line break would start a new element. */
export function printableText(charsMax: number) {
  return z
    .string()
    .min(1)
    .max(charsMax)
    .refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters");
}
