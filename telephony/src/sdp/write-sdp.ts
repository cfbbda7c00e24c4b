import { isIPv6 } from "node:net";
import { STATIC_CODECS } from "./codecs.ts";
import type { Codec, MediaDescription, SessionDescription } from "./session-description.ts";

/** The text of a description. It is kept short: an INVITE that does not fit a datagram may never arrive. */
export function writeSdp({ origin, media }: SessionDescription): string {
  const sessionAddress = media.find(({ address }) => address !== null)?.address ?? origin.address;
  const lines = [
    "v=0",
    `o=${origin.username} ${origin.id} ${origin.version} ${connection(origin.address)}`,
    "s=-",
    `c=${connection(sessionAddress)}`,
    "t=0 0",
    ...media.flatMap((each) => mediaLines(each, sessionAddress)),
  ];
  return `${lines.join("\r\n")}\r\n`;
}

function mediaLines(media: MediaDescription, sessionAddress: string): string[] {
  const lines = [`m=${media.type} ${media.port} ${media.protocol} ${media.formats.join(" ")}`];
  // RFC 3264 section 6: a rejected medium is listed without attributes.
  if (media.port === 0) return lines;
  if (media.address !== null && media.address !== sessionAddress) lines.push(`c=${connection(media.address)}`);
  lines.push(...media.codecs.flatMap(codecLines));
  if (media.ptimeMs !== null) lines.push(`a=ptime:${media.ptimeMs}`);
  if (media.rtcp !== null) lines.push(`a=rtcp:${media.rtcp.port}`);
  if (media.rtcpMux) lines.push("a=rtcp-mux");
  lines.push(...media.crypto.map(({ tag, suite, keyAndSalt }) => `a=crypto:${tag} ${suite} inline:${keyAndSalt}`));
  if (media.type === "audio") lines.push(`a=${media.direction}`);
  return lines;
}

function codecLines(codec: Codec): string[] {
  const { payloadType, name, clockRateHz, channels, parameters } = codec;
  const known = STATIC_CODECS.get(payloadType);
  const isStatic = known?.name === name && known.clockRateHz === clockRateHz;
  const map = `a=rtpmap:${payloadType} ${name}/${clockRateHz}${channels > 1 ? `/${channels}` : ""}`;
  return [...(isStatic ? [] : [map]), ...(parameters === null ? [] : [`a=fmtp:${payloadType} ${parameters}`])];
}

function connection(address: string): string {
  return `IN ${isIPv6(address) ? "IP6" : "IP4"} ${address}`;
}
