import type { EndReason } from "@parley/contract/calls";
import type { LegEndCause } from "@parley/telephony/carrier";
import type { ConversationEnd } from "@parley/voice/ports/conversation-journal";
import type { LegEnd, Verdict } from "./run-state.ts";

const REASON_BY_CAUSE: Readonly<Record<LegEndCause, EndReason>> = {
  hangup: "callee_hangup",
  canceled: "canceled",
  busy: "busy",
  no_answer: "no_answer",
  declined: "declined",
  blocked: "blocked",
  invalid_number: "invalid_number",
  unreachable: "unreachable",
  rejected: "carrier_rejected",
  unavailable: "carrier_unavailable",
  media_timeout: "media_timeout",
  lost: "carrier_unavailable",
};

/** The end of a leg that nobody answered. */
export function verdictOfUnanswered({ cause, by }: LegEnd): Verdict {
  return { reason: REASON_BY_CAUSE[cause], by: by === "callee" ? "callee" : "service", isOrderly: false };
}

/** The end of a leg that was talked on, as far as the line knows. */
export function verdictOfLine(isTransferred: boolean, { by, cause }: LegEnd): Verdict {
  if (isTransferred) return { reason: "transferred", by: by === "callee" ? "callee" : "agent", isOrderly: true };
  if (by === "callee") return { reason: "callee_hangup", by: "callee", isOrderly: true };
  if (by === "us" && cause === "hangup") return { reason: "agent_hangup", by: "service", isOrderly: true };
  return { reason: REASON_BY_CAUSE[cause], by: "service", isOrderly: false };
}

/**
 * The end of a conversation, as the agent saw it. Who was heard and was not there after all (a number out of service, a
 * line without sound), and an agent that broke, make a call that failed.
 */
const VERDICT_BY_END: Readonly<Record<ConversationEnd, Verdict>> = {
  agent_hangup: { reason: "agent_hangup", by: "agent", isOrderly: true },
  callee_hangup: { reason: "callee_hangup", by: "callee", isOrderly: true },
  transferred: { reason: "transferred", by: "agent", isOrderly: true },
  voicemail_hangup: { reason: "voicemail_hangup", by: "agent", isOrderly: true },
  voicemail_left: { reason: "voicemail_left", by: "agent", isOrderly: true },
  silence: { reason: "silence", by: "agent", isOrderly: true },
  fax: { reason: "fax", by: "agent", isOrderly: true },
  no_audio: { reason: "no_audio", by: "service", isOrderly: false },
  unreachable: { reason: "unreachable", by: "service", isOrderly: false },
  engine_error: { reason: "engine_error", by: "service", isOrderly: false },
};

export function verdictOfConversation(end: ConversationEnd): Verdict {
  return VERDICT_BY_END[end];
}

/** What was done by then stays done, also when the other side was quicker to hang up. */
const STANDS_WHOEVER_HANGS_UP: ReadonlySet<ConversationEnd> = new Set(["voicemail_left", "voicemail_hangup", "fax"]);

/** The line is gone, and then the agent said how far it had come. */
export function verdictInHindsight(verdict: Verdict, end: ConversationEnd): Verdict {
  // Whoever ended it: a conversation that we failed was not held.
  if (end === "engine_error" && verdict.isOrderly && verdict.reason !== "transferred")
    return verdictOfConversation(end);
  if (verdict.reason !== "callee_hangup" || !STANDS_WHOEVER_HANGS_UP.has(end)) return verdict;
  return { ...verdictOfConversation(end), by: "callee" };
}

/** The callee did pick up before our cancel reached the network. */
export function verdictWhenAnswered(verdict: Verdict): Verdict {
  if (verdict.by === "api") return { reason: "api_hangup", by: "api", isOrderly: true };
  return { ...verdict, isOrderly: verdict.reason !== "engine_error" };
}
