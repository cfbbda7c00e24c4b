import type { LegEnd, LegEndCause, LegEndDetail, LegEndedBy } from "./carrier.ts";
import type { UnansweredChallenge } from "./sip/authentication/authenticate.ts";
import { isBlockingNotice, isQ850, type ReasonHeader, reasonText } from "./sip/message/reason-header.ts";

/**
 * Translates a final SIP status code, which every carrier's own vocabulary comes down to, into the end of a leg.
 * Codes that are not listed are treated by their class.
 */
const CAUSE_BY_CODE: ReadonlyMap<number, LegEndCause> = new Map([
  [404, "invalid_number"],
  [410, "invalid_number"],
  [414, "invalid_number"],
  [416, "invalid_number"],
  [484, "invalid_number"],
  [485, "invalid_number"],
  [604, "invalid_number"],
  [430, "unreachable"],
  [482, "rejected"],
  [483, "unavailable"],
  [486, "busy"],
  [487, "canceled"],
  [491, "unavailable"],
  [600, "busy"],
  [603, "declined"],
  [607, "blocked"],
  [608, "blocked"],
]);

/** These only say that the call was not taken. Their meaning depends on whether a phone rang. */
const NOBODY_TOOK_IT: ReadonlySet<number> = new Set([408, 480]);

export function causeFromCode(code: number, hasRung: boolean): LegEndCause {
  const known = CAUSE_BY_CODE.get(code);
  if (known !== undefined) return known;
  if (NOBODY_TOOK_IT.has(code)) return hasRung ? "no_answer" : "unreachable";
  // A redirection is not followed: the new target has passed neither the gate nor the price list.
  if (code >= 300 && code < 400) return "unreachable";
  if (code >= 500 && code < 600) return "unavailable";
  return "rejected";
}

export function legEndFromCode(code: number, reason: string, hasRung: boolean): LegEnd {
  const cause = causeFromCode(code, hasRung);
  return { type: "ended", cause, code, reason, by: endedBy(cause) };
}

/** The details of a final response besides its code. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly reasonHeader: ReasonHeader | null;
  readonly hasRung: boolean;
  /** Why a challenge (401, 407) was not answered; null when it was, or when there was none. */
  readonly unanswered?: UnansweredChallenge | null;
  readonly retryAfterS?: number | null;
}

const DETAIL_BY_CHALLENGE: Readonly<Record<UnansweredChallenge, LegEndDetail>> = {
  no_credentials: "credentials_missing",
  phone_rang: "challenged_after_ringing",
  not_supported: "challenge_unsupported",
};

/** ITU-T Q.850, where it is more specific than a status code with several meanings. */
const CAUSE_BY_Q850: ReadonlyMap<number, LegEndCause> = new Map([
  [1, "invalid_number"],
  [2, "unreachable"],
  [3, "unreachable"],
  [17, "busy"],
  [18, "unreachable"],
  [19, "no_answer"],
  [20, "unreachable"],
  [21, "declined"],
  [22, "invalid_number"],
  [27, "unreachable"],
  [28, "invalid_number"],
  [29, "rejected"],
  [34, "unavailable"],
  [38, "unavailable"],
  [41, "unavailable"],
  [42, "unavailable"],
  [44, "unavailable"],
  [47, "unavailable"],
  [50, "rejected"],
  [55, "rejected"],
  [57, "rejected"],
  [102, "unavailable"],
]);

/** Codes that gateways use for various causes, so that an accompanying Q.850 reason is more reliable. */
const VAGUE_CODES: ReadonlySet<number> = new Set([400, 403, 408, 480, 487, 500, 502, 503, 504, 580]);

/** The end of a refused leg, from all details of the refusal. */
export function legEndFromRefusal(refusal: Refusal): LegEnd {
  const { status, reason, reasonHeader, hasRung, unanswered, retryAfterS } = refusal;
  const more = {
    ...(unanswered ? { detail: DETAIL_BY_CHALLENGE[unanswered] } : {}),
    ...(retryAfterS === undefined || retryAfterS === null ? {} : { retryAfterS }),
  };
  if (isBlockedByNetwork(status, reason, reasonHeader)) {
    const why = reasonHeader !== null && isBlockingNotice(reasonHeader) ? reasonText(reasonHeader) : null;
    return { type: "ended", cause: "blocked", code: status, reason: why ?? reason, by: "network", ...more };
  }
  const refined = VAGUE_CODES.has(status) ? causeFromQ850(reasonHeader) : null;
  if (refined === null) return { ...legEndFromCode(status, reason, hasRung), ...more };
  return {
    type: "ended",
    cause: refined,
    code: status,
    reason: reasonText(reasonHeader) ?? reason,
    by: endedBy(refined),
    ...more,
  };
}

/** RFC 8688 (608), and ATIS-1000099, which distinguishes a blocked from a declined call by the phrase and the Reason of a 603. */
function isBlockedByNetwork(status: number, reason: string, reasonHeader: ReasonHeader | null): boolean {
  if (status === 608) return true;
  if (status !== 603) return false;
  return /\bblocked\b/i.test(reason) || (reasonHeader !== null && saysBlocked(reasonHeader));
}

function saysBlocked(reasonHeader: ReasonHeader): boolean {
  return isBlockingNotice(reasonHeader) || /\bblocked\b/i.test(reasonHeader.text ?? "");
}

function causeFromQ850(reasonHeader: ReasonHeader | null): LegEndCause | null {
  if (reasonHeader === null || !isQ850(reasonHeader) || reasonHeader.cause === null) return null;
  return CAUSE_BY_Q850.get(reasonHeader.cause) ?? null;
}

function endedBy(cause: LegEndCause): LegEndedBy {
  if (cause === "busy" || cause === "declined" || cause === "blocked") return "callee";
  if (cause === "canceled") return "us";
  return "network";
}

/** RFC 3261 section 15: a call that was answered ends by BYE, which carries no status code of its own. */
export function hungUp(by: LegEndedBy, reason = "Normal Clearing"): LegEnd {
  return { type: "ended", cause: "hangup", code: null, reason, by };
}

/** Our own decision, whatever the network replies: the 487 of RFC 3261 section 9.2 only confirms it. */
export function canceledByUs(reason = "The call was canceled before it was answered."): LegEnd {
  return { type: "ended", cause: "canceled", code: null, reason, by: "us" };
}

/** A `dialId` that was placed before. Nothing was sent, so there is no response. */
export function placedBefore(): LegEnd {
  const reason = "The same dial was placed before.";
  return { type: "ended", cause: "rejected", code: null, reason, by: "us", detail: "already_sent" };
}

/** The connection to the network broke; the state of the leg beyond it is unknown. */
export function lost(reason: string): LegEnd {
  return { type: "ended", cause: "lost", code: null, reason, by: "network" };
}
