import type { ReceivedRequest } from "./message.ts";
import { contentType, headerWithParams } from "./read-headers.ts";

export interface TransferProgress {
  readonly status: number;
  readonly reason: string;
  readonly isFinal: boolean;
  /** False for a notice that is the last and yet does not say how it went. */
  readonly isTold: boolean;
}

const UNTOLD: TransferProgress = { status: 408, reason: "the outcome was not told", isFinal: true, isTold: false };

/** Whether this NOTIFY is about a REFER (RFC 3515 section 2.4.4). */
export function isTransferNotice(request: ReceivedRequest): boolean {
  return headerWithParams(request, "Event")?.value.toLowerCase() === "refer";
}

/**
 * RFC 3515 section 2.4.5: the body is the first line of the response the transferred party got. Null for a notice that
 * tells nothing new.
 */
export function readTransferNotice(request: ReceivedRequest): TransferProgress | null {
  const isOver = headerWithParams(request, "Subscription-State")?.value.toLowerCase() === "terminated";
  const isFragment = contentType(request).startsWith("message/sipfrag");
  const match = isFragment ? /^SIP\/2\.0 ([1-6]\d\d)(?: ([^\r\n]*))?/.exec(request.body.toString()) : null;
  if (match === null) return isOver ? UNTOLD : null;
  const status = Number(match[1]);
  if (isOver && status < 200) return UNTOLD;
  return { status, reason: match[2]?.trim() ?? "", isFinal: status >= 200, isTold: true };
}
