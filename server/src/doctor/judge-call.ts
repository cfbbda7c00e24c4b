import type { DoctorFinding } from "@parley/contract/doctor";
import type { LegEnd } from "@parley/telephony/carrier";
import { explainLegEnd } from "@parley/telephony/explain-leg-end";
import type { Trunk } from "@parley/telephony/sip-carrier/trunk";
import type { CallFacts } from "./facts.ts";
import { fault, ok, warning } from "./finding.ts";
import { seconds } from "./in-words.ts";

/** These say that the trunk did carry the call as far as the phone. */
const REACHED_THE_PHONE: ReadonlySet<LegEnd["cause"]> = new Set(["busy", "no_answer", "declined", "unreachable"]);

/** How the test call came about. */
export function judgeCall(trunk: Trunk, facts: CallFacts): DoctorFinding {
  const { to, rangAfterMs, hadEarlyMedia, answeredAfterMs, end } = facts;
  const rang = rangAfterMs === null ? "did not ring" : `rang after ${seconds(rangAfterMs)}`;
  const early = hadEarlyMedia ? ", with something to hear before the answer," : "";
  if (answeredAfterMs !== null)
    return ok("call", `${to} ${rang}${early} and was answered after ${seconds(answeredAfterMs)}.`);
  if (end === null)
    return fault(
      "call",
      `${to} ${rang}${early} and nothing more happened.`,
      "Ask the trunk's operator about this call.",
    );
  const said = end.code === null ? "" : ` The trunk said "${end.code} ${end.reason}".`;
  const sentence = `${to} ${rang}: ${explainLegEnd(end)}${said}`;
  if (REACHED_THE_PHONE.has(end.cause))
    return warning("call", sentence, "The trunk carries calls; try a number that answers to test the sound.");
  return fault("call", sentence, remedyFor(trunk, end));
}

function remedyFor({ sip, numberFormat, dialPrefix, callerIds, codecs, srtp }: Trunk, { cause, code }: LegEnd): string {
  const shown = callerIds[0] === undefined ? "no caller id" : `the caller id ${callerIds[0]}`;
  if (code === 401 || code === 407)
    return sip.credentials
      ? "Enter user name and password again."
      : "The trunk asks for a password: set username and password.";
  if (code === 403) return `Ask the trunk's operator whether this machine's address and ${shown} may place calls.`;
  if (code === 402) return "Settle the account with the trunk's operator.";
  if (code === 488 || code === 606)
    return `Ask the trunk's operator for its codecs and whether it encrypts sound: here it is ${codecs.join(", ")} with srtp ${srtp}.`;
  switch (cause) {
    case "invalid_number":
      return `Ask how numbers are to be written: here numberFormat is ${numberFormat} and dialPrefix is "${dialPrefix}".`;
    case "blocked":
      return `Ask the trunk's operator why calls with ${shown} are blocked, and try another caller id.`;
    case "unavailable":
    case "lost":
      return sip.transport === "udp"
        ? "If only calls stay unanswered, they may be too large for UDP on the way: try tcp. Else ask the trunk's operator."
        : "Ask the trunk's operator whether it can carry calls now.";
    default:
      return "Ask the trunk's operator about this call.";
  }
}

/** Whether the call was ended as it should be. */
export function judgeHangup({ end, endedFirst }: CallFacts): DoctorFinding {
  if (endedFirst) return ok("hangup", "The callee hung up before we did, and we heard of it.");
  if (end !== null && end.cause !== "lost") return ok("hangup", "The trunk confirmed our hang-up.");
  return fault(
    "hangup",
    "The trunk did not confirm our hang-up, so calls may go on and be charged.",
    "The address that its answer names may be out of reach: set staysOnFirstHop, and let our messages through the firewall.",
  );
}
