import type { LegEnd, LegEndCause, LegEndedBy } from "./carrier.ts";

/**
 * Translates a final SIP status code, which every carrier's own vocabulary comes down to, into the end of a leg.
 * Codes without a line of their own fall to their class.
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

/** These say only that nobody took the call. Whether a phone rang decides what that means. */
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

function endedBy(cause: LegEndCause): LegEndedBy {
  if (cause === "busy" || cause === "declined" || cause === "blocked") return "callee";
  if (cause === "canceled") return "us";
  return "network";
}

/** RFC 3261 section 15: a call that was answered ends by BYE, which carries no status code of its own. */
export function hungUp(by: LegEndedBy, reason = "Normal Clearing"): LegEnd {
  return { type: "ended", cause: "hangup", code: null, reason, by };
}

/** RFC 3261 section 9.2: a canceled INVITE is answered with 487. */
export function canceledByUs(): LegEnd {
  return { type: "ended", cause: "canceled", code: 487, reason: "Request Terminated", by: "us" };
}

/** The way to the network broke, and what became of the leg beyond it is not known. */
export function lost(reason: string): LegEnd {
  return { type: "ended", cause: "lost", code: null, reason, by: "network" };
}
