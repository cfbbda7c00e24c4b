import { type CSeq, parseCSeq } from "./cseq.ts";
import type { Essentials, SipMessage } from "./message.ts";
import { type NameAddr, parseNameAddr } from "./name-addr.ts";
import { headerLines, headerList } from "./read-headers.ts";
import { parseVia } from "./via.ts";

/** Reads what every message must carry exactly once, or says in words what is wrong with it. */
export function readEssentials(message: SipMessage): Essentials | string {
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
