import type { LegEnd, LegEndCause } from "../carrier.ts";
import { canceledByUs, legEndFromCode } from "../leg-end.ts";
import type { CallReport } from "../stream-carrier/vendor-calls.ts";
import type { CallStatus } from "./find-call.ts";
import type { TwilioCreateOutcome } from "./twilio-rest.ts";

const FINAL: ReadonlySet<string> = new Set(["completed", "busy", "no-answer", "failed", "canceled"]);

/** Twilio's word for the state of a call, as every carrier reports it. */
export function reportOf(status: CallStatus): CallReport {
  if (FINAL.has(status.status)) {
    // Only an answered call is completed.
    const wasAnswered = status.status === "completed";
    return { state: "ended", wasAnswered, unanswered: (hasRung) => unansweredEnd(status, hasRung) };
  }
  if (status.status === "in-progress") return { state: "answered" };
  return { state: status.status === "ringing" ? "ringing" : "dialing" };
}

/** The end of a call that was not answered. The SIP status says more than Twilio's own word, where there is one. */
function unansweredEnd({ status, sipCode }: CallStatus, hasRung: boolean): LegEnd {
  if (status === "canceled") return canceledByUs();
  if (sipCode !== null) return legEndFromCode(sipCode, REASON_BY_CODE.get(sipCode) ?? `SIP ${sipCode}`, hasRung);
  if (status === "busy") return { type: "ended", cause: "busy", code: null, reason: "Busy", by: "callee" };
  if (status === "no-answer") return ended("no_answer", "No Answer");
  return ended("unreachable", "Twilio could not connect the call.");
}

const REASON_BY_CODE: ReadonlyMap<number, string> = new Map([
  [404, "Not Found"],
  [480, "Temporarily Unavailable"],
  [486, "Busy Here"],
  [487, "Request Terminated"],
  [503, "Service Unavailable"],
  [603, "Decline"],
]);

/** https://www.twilio.com/docs/api/errors: what is wrong with the number called. */
const INVALID_NUMBER_CODES: ReadonlySet<number> = new Set([13_223, 13_224, 13_225, 21_201, 21_211, 21_217, 21_401]);

/** The end of a call that Twilio refused to create. Nothing was dialed. */
export function refusedEnd({
  status,
  code,
  message,
  retryAfterS,
}: Extract<TwilioCreateOutcome, { type: "refused" }>): LegEnd {
  const later = retryAfterS === null ? {} : { retryAfterS };
  const reason = `Twilio refused the call${code === null ? "" : ` (error ${code})`}: ${message}`;
  if (code !== null && INVALID_NUMBER_CODES.has(code)) return ended("invalid_number", reason);
  if (status === 401) return undialed("rejected", "Twilio refused the account SID or the auth token.");
  if (status === 429)
    return { ...undialed("unavailable", `Twilio accepts no more calls at the moment: ${message}`), ...later };
  return undialed("rejected", reason);
}

function undialed(cause: LegEndCause, reason: string): LegEnd {
  return { ...ended(cause, reason), noPhoneRang: true };
}

function ended(cause: LegEndCause, reason: string): LegEnd {
  return { type: "ended", cause, code: null, reason, by: "network" };
}
