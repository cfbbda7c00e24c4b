import type { SipMessage } from "./message.ts";
import { param, parseParams } from "./params.ts";
import { unquote } from "./quoted-text.ts";
import { headerList } from "./read-headers.ts";

/** RFC 3326:  Reason: Q.850;cause=16;text="Terminated"  tells why a call ended, often better than the status code. */
export interface ReasonHeader {
  readonly protocol: string;
  readonly cause: number | null;
  readonly text: string | null;
}

/** The telephone network's own reason (Q.850) where there is one, else the first. */
export function readReason(message: SipMessage): ReasonHeader | null {
  const reasons = headerList(message, "Reason").map((value): ReasonHeader => {
    const semicolon = value.indexOf(";");
    const params = semicolon < 0 ? [] : parseParams(value.slice(semicolon + 1));
    const cause = param(params, "cause");
    const text = param(params, "text");
    return {
      protocol: (semicolon < 0 ? value : value.slice(0, semicolon)).trim(),
      cause: cause !== null && /^\d{1,3}$/.test(cause) ? Number(cause) : null,
      text: text === null ? null : unquote(text),
    };
  });
  return reasons.find(({ protocol }) => protocol.toUpperCase() === "Q.850") ?? reasons[0] ?? null;
}
