import type { SipMessage } from "./message.ts";
import { param, parseParams } from "./params.ts";
import { unquote } from "./quoted-text.ts";
import { headerList } from "./read-headers.ts";

/** RFC 3326:  Reason: Q.850;cause=16;text="Terminated"  explains the end of a call, often better than the status code. */
export interface ReasonHeader {
  readonly protocol: string;
  readonly cause: number | null;
  readonly text: string | null;
}

/**
 * A notice that the call was blocked (ATIS-1000099), else the telephone network's own reason (Q.850) where there is one,
 * else the first.
 */
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
  return reasons.find(isBlockingNotice) ?? reasons.find(isQ850) ?? reasons[0] ?? null;
}

/** ATIS-1000099:  Reason: SIP;cause=603;text="v=analytics1;url=https://..."  says that analytics blocked the call. */
export function isBlockingNotice({ text }: ReasonHeader): boolean {
  return text !== null && /^\s*v=analytics/i.test(text);
}

export function isQ850({ protocol }: ReasonHeader): boolean {
  return protocol.toUpperCase() === "Q.850";
}

/** What a reason says, for people; null when it says nothing. */
export function reasonText(reason: ReasonHeader | null): string | null {
  if (reason === null) return null;
  if (reason.text !== null && reason.text !== "") return reason.text;
  return reason.cause === null ? null : `${reason.protocol} ${reason.cause}`;
}
