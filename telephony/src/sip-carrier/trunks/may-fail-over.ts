import { type AttemptEnd, legEndOfAttempt } from "../leg/attempt-end.ts";

/**
 * Whether another trunk may be tried after this. No phone may ring twice, so this requires a certain sign that no
 * phone rang: a final 408, 480 or 5xx before any 18x, or no response at all. A refusal whose reason says that the callee
 * was reached (busy, declined, no such number, did not answer) is final whatever its code is. Silence after a 100 is
 * none of these: it may ring.
 */
export function mayFailOver(end: AttemptEnd): boolean {
  switch (end.kind) {
    case "no_response":
    case "not_sent":
      return true;
    case "refused": {
      const { status, hasRung } = end;
      const isRetryable = status === 408 || status === 480 || (status >= 500 && status < 600);
      if (!isRetryable || hasRung) return false;
      const { cause } = legEndOfAttempt(end);
      return cause === "unavailable" || cause === "unreachable";
    }
    case "broken_off":
    case "rang_out":
    case "canceled":
    case "not_committed":
    case "hung_up":
      return false;
  }
}

/** RFC 3263 section 4.3: after these the next machine of the same trunk is worth a try before the next trunk. */
export function isMachineFailure(end: AttemptEnd): boolean {
  return end.kind === "no_response" || (end.kind === "refused" && end.status === 503);
}
