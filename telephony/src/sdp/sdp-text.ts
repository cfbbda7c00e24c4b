import { isIPv6 } from "node:net";
import { parseCodec, STATIC_CODECS } from "./codecs.ts";
import type {
  Codec,
  CryptoLine,
  Direction,
  MediaDescription,
  Origin,
  SessionDescription,
} from "./session-description.ts";

export type SdpOutcome =
  | { readonly ok: true; readonly description: SessionDescription }
  | { readonly ok: false; readonly reason: string };

const LENGTH_MAX = 64 * 1024;
const LINES_MAX = 500;
const MEDIA_MAX = 16;
const FORMATS_MAX = 64;
const DIRECTIONS: ReadonlySet<string> = new Set(["sendrecv", "sendonly", "recvonly", "inactive"]);
const ADDRESS = /^(?:[0-9A-Fa-f:.]+|[A-Za-z0-9.-]+)$/;

interface Line {
  readonly type: string;
  readonly value: string;
}

/** Reads a session description. Lines it does not know (ICE, DTLS, bandwidth) are passed over, as RFC 8866 section 5 asks. */
export function parseSdp(text: string): SdpOutcome {
  const lines = readLines(text);
  if (typeof lines === "string") return { ok: false, reason: lines };
  if (lines[0]?.type !== "v" || lines[0].value.trim() !== "0")
    return { ok: false, reason: "it does not begin with v=0" };
  const firstMedia = lines.findIndex(({ type }) => type === "m");
  const head = firstMedia < 0 ? lines : lines.slice(0, firstMedia);
  const origin = readOrigin(head.find(({ type }) => type === "o")?.value ?? "");
  if (origin === null) return { ok: false, reason: "there is no origin" };
  const media: MediaDescription[] = [];
  for (const section of sections(lines, firstMedia)) {
    if (media.length === MEDIA_MAX) return { ok: false, reason: "there are too many media" };
    const read = readMedia(section, head);
    if (typeof read === "string") return { ok: false, reason: read };
    media.push(read);
  }
  return { ok: true, description: { origin, media } };
}

function readLines(text: string): Line[] | string {
  if (text.length > LENGTH_MAX) return "it is larger than 64 KiB";
  const lines: Line[] = [];
  for (const line of text.split(/\r?\n|\r/)) {
    if (line.trim() === "") continue;
    if (!/^[a-zA-Z]=/.test(line)) return "a line is not of the form x=...";
    if (lines.length === LINES_MAX) return "there are too many lines";
    lines.push({ type: line.slice(0, 1), value: line.slice(2) });
  }
  return lines;
}

function sections(lines: readonly Line[], firstMedia: number): Line[][] {
  const found: Line[][] = [];
  for (const line of firstMedia < 0 ? [] : lines.slice(firstMedia)) {
    if (line.type === "m") found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found;
}

function readOrigin(value: string): Origin | null {
  const [username, id, version, , , address] = value.trim().split(/\s+/);
  if (username === undefined || id === undefined || version === undefined || address === undefined) return null;
  return /^\d{1,40}$/.test(id) && /^\d{1,40}$/.test(version) ? { username, id, version, address } : null;
}

function readMedia(section: readonly Line[], head: readonly Line[]): MediaDescription | string {
  const [type, port, protocol, ...formats] = (section[0]?.value ?? "").trim().split(/\s+/);
  const match = /^(\d{1,5})(?:\/\d+)?$/.exec(port ?? "");
  if (type === undefined || protocol === undefined || match === null || Number(match[1]) > 65_535) {
    return "an m= line cannot be read";
  }
  if (formats.length > FORMATS_MAX) return "an m= line has too many formats";
  const attributes = section.filter((line) => line.type === "a").map(({ value }) => value);
  const sessionAttributes = head.filter((line) => line.type === "a").map(({ value }) => value);
  return {
    type: type.toLowerCase(),
    port: Number(match[1]),
    protocol: protocol.toUpperCase() === "UDPTL" ? "udptl" : protocol.toUpperCase(),
    formats,
    address: readAddress(section) ?? readAddress(head),
    direction: readDirection(attributes) ?? readDirection(sessionAttributes) ?? "sendrecv",
    codecs: /(?:^|\/)RTP\//i.test(protocol) ? readCodecs(formats, attributes) : [],
    ptimeMs: readPtime(attributes) ?? readPtime(sessionAttributes),
    crypto: attributes.flatMap(readCrypto),
    rtcp: readRtcp(attributes),
    rtcpMux: attributes.some((value) => value.trim() === "rtcp-mux"),
  };
}

/** RFC 8866 section 5.7:  c=IN IP4 203.0.113.1  where a multicast address may be followed by /ttl. */
function readAddress(lines: readonly Line[]): string | null {
  const value = lines.find(({ type }) => type === "c")?.value;
  const match = /^IN\s+IP[46]\s+([^\s/]+)/i.exec(value?.trim() ?? "");
  return match?.[1] !== undefined && ADDRESS.test(match[1]) ? match[1] : null;
}

function readDirection(attributes: readonly string[]): Direction | null {
  const found = attributes.findLast((value) => DIRECTIONS.has(value.trim()));
  return found === undefined ? null : (found.trim() as Direction);
}

function readCodecs(formats: readonly string[], attributes: readonly string[]): Codec[] {
  const parameters = new Map<number, string>();
  const mapped = new Map<number, Codec>();
  for (const value of attributes) {
    const fmtp = /^fmtp:(\d{1,3})\s+(.*)$/.exec(value.trim());
    if (fmtp?.[2] !== undefined) parameters.set(Number(fmtp[1]), fmtp[2].trim());
    const codec = parseCodec(value.trim());
    if (codec !== null) mapped.set(codec.payloadType, codec);
  }
  return formats.flatMap((format) => {
    if (!/^\d{1,3}$/.test(format) || Number(format) > 127) return [];
    const codec = mapped.get(Number(format)) ?? STATIC_CODECS.get(Number(format));
    return codec === undefined ? [] : [{ ...codec, parameters: parameters.get(codec.payloadType) ?? null }];
  });
}

/** RFC 8866 section 6.4. Nonsense counts as not said. */
function readPtime(attributes: readonly string[]): number | null {
  const match = attributes.map((value) => /^ptime:\s*(\d{1,4})\s*$/.exec(value.trim())).find((found) => found !== null);
  const ptimeMs = Number(match?.[1] ?? 0);
  return ptimeMs > 0 ? ptimeMs : null;
}

/** RFC 4568 section 9.1. Keys with a master key identifier are skipped: in practice there is only one key. */
function readCrypto(value: string): CryptoLine[] {
  const match = /^crypto:\s*(\d{1,9})\s+(\S+)\s+inline:([A-Za-z0-9+/=]{1,128})(\|\S*)?(?:\s|$)/i.exec(value.trim());
  if (match?.[2] === undefined || match[3] === undefined || /\|\d+:\d+/.test(match[4] ?? "")) return [];
  return [{ tag: Number(match[1]), suite: match[2].toUpperCase(), keyAndSalt: match[3] }];
}

function readRtcp(attributes: readonly string[]): MediaDescription["rtcp"] {
  const value = attributes.find((candidate) => candidate.startsWith("rtcp:"))?.slice(5) ?? "";
  const match = /^\s*(\d{1,5})(?:\s+IN\s+IP[46]\s+(\S+))?\s*$/i.exec(value);
  if (match === null || Number(match[1]) > 65_535) return null;
  return { port: Number(match[1]), address: match[2] !== undefined && ADDRESS.test(match[2]) ? match[2] : null };
}

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
