import { type CSeq, parseCSeq } from "./cseq.ts";
import { canonicalName } from "./header-names.ts";
import type { Essentials, HeaderLine, ReceivedMessage, SipMessage } from "./message.ts";
import { type NameAddr, parseNameAddr } from "./name-addr.ts";
import { isToken } from "./quoted-text.ts";
import { headerLines, headerList } from "./read-headers.ts";
import { parseUri } from "./uri.ts";
import { parseVia, type Via } from "./via.ts";

export const MESSAGE_MAX_BYTES = 64 * 1024;
const HEADER_LINES_MAX = 128;
export const LINE_MAX_BYTES = 8 * 1024;

export type ParseOutcome =
  | { readonly ok: true; readonly message: ReceivedMessage }
  | { readonly ok: false; readonly reason: string };

/** Thrown and caught inside this file only: whatever the bytes are, the caller gets a value. */
class Malformed extends Error {}

/** Reads one whole message, which is what a datagram holds and what the framer of a stream hands over. */
export function parseMessage(bytes: Uint8Array): ParseOutcome {
  try {
    return { ok: true, message: readMessage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, reason: error.message };
    throw error;
  }
}

function readMessage(bytes: Buffer): ReceivedMessage {
  if (bytes.length > MESSAGE_MAX_BYTES) throw new Malformed("the message is larger than 64 KiB");
  const { lines, bodyStart } = readLines(bytes);
  const [startLine, ...rest] = lines;
  if (startLine === undefined) throw new Malformed("there is no start line");
  const headers = rest.map(readHeader);
  const body = readBody(headers, bytes.subarray(bodyStart));
  const message: SipMessage = { ...readStartLine(startLine), headers, body };
  const essentials = readEssentials(message);
  if (typeof essentials === "string") throw new Malformed(essentials);
  return { ...message, essentials };
}

/** The readable parts of an invalid request: enough to answer its sender. */
export interface DamagedRequest {
  readonly method: string;
  readonly callId: string;
  readonly via: Via;
  /** As many of Via, From, To, Call-ID and CSeq as there are, as they were written. */
  readonly headers: readonly HeaderLine[];
}

const REPEATED_IN_RESPONSES: ReadonlySet<string> = new Set(["Via", "From", "To", "Call-ID", "CSeq"]);

/** Null for anything that is not a request, or has no address for an answer. */
export function readDamagedRequest(bytes: Uint8Array): DamagedRequest | null {
  const [startLine = "", ...lines] = Buffer.from(bytes).toString("utf8", 0, LINE_MAX_BYTES).trimStart().split(/\r?\n/);
  const method = /^(\S+) .*SIP\/2\.0$/i.exec(startLine)?.[1] ?? "";
  const end = lines.indexOf("");
  const found = lines.slice(0, end < 0 ? 0 : end).flatMap((line): HeaderLine[] => {
    const colon = line.indexOf(":");
    const name = canonicalName(line.slice(0, Math.max(0, colon)).trimEnd());
    return REPEATED_IN_RESPONSES.has(name) && !/[\0\r]/.test(line) ? [[name, line.slice(colon + 1).trim()]] : [];
  });
  // Only Via may occur more than once.
  const headers = found.filter(([name], at) => name === "Via" || found.findIndex(([other]) => other === name) === at);
  const via = parseVia(headers.find(([name]) => name === "Via")?.[1] ?? "");
  const callId = headers.find(([name]) => name === "Call-ID")?.[1];
  return isToken(method) && via !== null && callId !== undefined ? { method, callId, via, headers } : null;
}

/** RFC 3261 section 7.3.1: a line that begins with white space continues the previous one. */
function readLines(bytes: Buffer): { readonly lines: string[]; readonly bodyStart: number } {
  const lines: string[] = [];
  let at = 0;
  let linesRead = 0;
  // RFC 3261 section 7.5: empty lines before the start line are ignored.
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at += 1;
  for (;;) {
    const newline = bytes.indexOf(0x0a, at);
    if (newline < 0) throw new Malformed("the header section has no end");
    const end = newline > at && bytes[newline - 1] === 0x0d ? newline - 1 : newline;
    if (end === at) return { lines, bodyStart: newline + 1 };
    if (end - at > LINE_MAX_BYTES) throw new Malformed("a line is longer than 8 KiB");
    const line = bytes.toString("utf8", at, end);
    linesRead += 1;
    if (linesRead > HEADER_LINES_MAX + 1) throw new Malformed("there are more than 128 header lines");
    if (/[\0\r]/.test(line)) throw new Malformed("a line holds a control character");
    addLine(lines, line);
    at = newline + 1;
  }
}

function addLine(lines: string[], line: string): void {
  const isContinuation = line.startsWith(" ") || line.startsWith("\t");
  if (!isContinuation) {
    lines.push(line);
    return;
  }
  const before = lines.pop();
  if (before === undefined || lines.length === 0) throw new Malformed("a continuation follows no header");
  const joined = `${before.trimEnd()} ${line.trimStart()}`;
  if (joined.length > LINE_MAX_BYTES) throw new Malformed("a folded line is longer than 8 KiB");
  lines.push(joined);
}

type StartLine =
  | { readonly kind: "request"; readonly method: string; readonly uri: string }
  | { readonly kind: "response"; readonly status: number; readonly reason: string };

/** RFC 3261 sections 7.1 and 7.2: the parts of a start line are separated by exactly one space. */
function readStartLine(line: string): StartLine {
  const status = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i.exec(line);
  if (status !== null) return { kind: "response", status: Number(status[1]), reason: status[2] ?? "" };
  const request = /^(\S+) (\S+) (SIP\/\d+\.\d+)$/i.exec(line);
  if (request?.[1] === undefined || request[2] === undefined) throw new Malformed("the start line is not SIP");
  if (request[3]?.toUpperCase() !== "SIP/2.0") throw new Malformed("the version is not SIP/2.0");
  if (!isToken(request[1])) throw new Malformed("the method is not a token");
  if (parseUri(request[2]) === null) throw new Malformed("the Request-URI cannot be read");
  return { kind: "request", method: request[1], uri: request[2] };
}

function readHeader(line: string): HeaderLine {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon)).trimEnd();
  if (!isToken(name)) throw new Malformed("a header line has no name");
  return [canonicalName(name), line.slice(colon + 1).trim()];
}

/** RFC 3261 section 18.3: bytes beyond Content-Length are thrown away, and too few of them are an error. */
function readBody(headers: readonly HeaderLine[], rest: Buffer): Buffer {
  const lengths = new Set(headers.filter(([name]) => name === "Content-Length").map(([, value]) => value));
  const [length] = lengths;
  if (length === undefined) return rest;
  if (lengths.size > 1 || !/^\d{1,9}$/.test(length)) throw new Malformed("Content-Length is not one number");
  if (Number(length) > rest.length) throw new Malformed("the body is shorter than Content-Length");
  return rest.subarray(0, Number(length));
}

/** Reads the mandatory headers, or describes what is wrong. */
function readEssentials(message: SipMessage): Essentials | string {
  const from = readOne(message, "From", parseNameAddr);
  if (typeof from === "string") return from;
  const to = readOne(message, "To", parseNameAddr);
  if (typeof to === "string") return to;
  const cseq = readOne(message, "CSeq", parseCSeq);
  if (typeof cseq === "string") return cseq;
  const callIds = headerLines(message, "Call-ID");
  const callId = callIds[0];
  if (callIds.length !== 1 || callId === undefined || !/^\S+$/.test(callId)) return "there is not one Call-ID";
  const via = parseVia(headerList(message, "Via")[0] ?? "");
  if (via === null) return "the topmost Via cannot be read";
  return methodFault(message, cseq) ?? hopsFault(message) ?? { via, from, to, callId, cseq };
}

function readOne<T extends NameAddr | CSeq>(
  message: SipMessage,
  name: string,
  parse: (text: string) => T | null,
): T | string {
  const lines = headerLines(message, name);
  if (lines.length !== 1 || lines[0] === undefined) return `there is not one ${name}`;
  return parse(lines[0]) ?? `${name} cannot be read`;
}

/** RFC 3261 section 8.1.1.5. */
function methodFault(message: SipMessage, cseq: CSeq): string | null {
  return message.kind === "request" && cseq.method !== message.method ? "CSeq names another method" : null;
}

/** RFC 3261 section 20.22. */
function hopsFault(message: SipMessage): string | null {
  const lines = headerLines(message, "Max-Forwards");
  if (lines.length === 0) return null;
  return lines.length === 1 && /^\d{1,9}$/.test(lines[0] ?? "") && Number(lines[0]) <= 255
    ? null
    : "Max-Forwards is not a number up to 255";
}
