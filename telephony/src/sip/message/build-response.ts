import { type HeaderLine, NO_BODY, type ReceivedRequest, type SipResponse } from "./message.ts";
import { tagOf, withTag, writeNameAddr } from "./name-addr.ts";

const REASONS: ReadonlyMap<number, string> = new Map([
  [100, "Trying"],
  [200, "OK"],
  [202, "Accepted"],
  [400, "Bad Request"],
  [403, "Forbidden"],
  [405, "Method Not Allowed"],
  [416, "Unsupported URI Scheme"],
  [420, "Bad Extension"],
  [422, "Session Interval Too Small"],
  [481, "Call/Transaction Does Not Exist"],
  [482, "Loop Detected"],
  [488, "Not Acceptable Here"],
  [489, "Bad Event"],
  [491, "Request Pending"],
  [500, "Server Internal Error"],
  [501, "Not Implemented"],
  [503, "Service Unavailable"],
  [603, "Decline"],
]);

export interface ResponseParts {
  readonly headers?: readonly HeaderLine[];
  readonly body?: Buffer;
  /** Added to To where the request had none, which makes it one outside a dialog. */
  readonly toTag?: string;
}

/** RFC 3261 section 8.2.6.2: repeats the headers that identify the request, and adds ours. */
export function buildResponse(request: ReceivedRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const { to } = request.essentials;
  const headers = request.headers.flatMap((line): HeaderLine[] => {
    if (!["Via", "From", "To", "Call-ID", "CSeq"].includes(line[0])) return [];
    const needsTag = line[0] === "To" && tagOf(to) === null && parts.toTag !== undefined && status > 100;
    return [needsTag ? ["To", writeNameAddr(withTag(to, parts.toTag ?? ""))] : line];
  });
  return {
    kind: "response",
    status,
    reason: REASONS.get(status) ?? "",
    headers: [...headers, ...(parts.headers ?? [])],
    body: parts.body ?? NO_BODY,
  };
}
