import type { CallEventType } from "@parley/contract/call-events";
import type { EndedBy, EndReason } from "@parley/contract/calls";
import type { LegEndCause, LegEvent } from "@parley/telephony/carrier";
import type { ConversationEnd } from "@parley/voice/ports/conversation-journal";
import type { IncidentReport } from "../incidents/incidents.ts";

/**
 * One run of a call, from the claim to its end. The states:
 *
 *   waiting   claimed; its send time has not come, or every trunk was full. Nothing was sent: it may still return to the
 *             queue.
 *   placing   the gate and the carrier are being asked. Nothing was sent, because nothing is written ahead yet.
 *   dialing   the first attempt is written ahead. From here on no other worker ever dials the call again.
 *   ringing   the callee's phone rings.
 *   talking   the callee answered.
 *   closing   we asked the network to end the call and wait, for a bounded time, for it to confirm.
 *   settling  the line is gone; we wait briefly for the last entries of the conversation.
 *   over      the end is decided; what remains is to commit it.
 *
 * `stepRun` is pure: effects are data, and their results return as events.
 */
export type RunState =
  /** `tries` counts how often every trunk was full. */
  | { readonly phase: "waiting"; readonly tries: number }
  | { readonly phase: "placing"; readonly tries: number }
  | { readonly phase: "dialing" }
  | { readonly phase: "ringing" }
  /**
   * `farewell` is the end reason of the call once the agent has said goodbye on our behalf; null otherwise.
   */
  | { readonly phase: "talking"; readonly isTransferred: boolean; readonly farewell: EndDecision | null }
  | { readonly phase: "closing"; readonly answered: boolean; readonly decision: EndDecision }
  | { readonly phase: "settling"; readonly decision: EndDecision; readonly leg: LegEnd }
  | { readonly phase: "over" };

/** Why a call ended, and by whom. */
export interface EndDecision {
  readonly reason: EndReason;
  readonly by: EndedBy;
  readonly isOrderly: boolean;
}

export type LegEnd = Extract<LegEvent, { type: "ended" }>;

export type RunEvent =
  | { readonly type: "send_time.reached" }
  | { readonly type: "gate.refused"; readonly reason: EndReason }
  /** Too early to call: the callee's calling hours have not begun. */
  | { readonly type: "gate.deferred" }
  /** No agent could conduct the call, so it was not placed. */
  | { readonly type: "engine.unavailable" }
  /** The first attempt is committed. */
  | { readonly type: "dial.written" }
  /** A hang-up was requested, so an attempt was not written. */
  | { readonly type: "write_ahead.refused" }
  /** Nothing was written because every suitable trunk was full. */
  | { readonly type: "trunks.full" }
  | { readonly type: "dial.sent" }
  /** The carrier could not be reached: nothing was sent. */
  | { readonly type: "dial.failed" }
  | LegEvent
  /** The agent has finished the conversation and will request nothing more. */
  | { readonly type: "conversation.over"; readonly reason: ConversationEnd }
  /** There is no conversation, or everything it noted has arrived. */
  | { readonly type: "conversation.finished" }
  /** A component of the service failed during the conversation. */
  | { readonly type: "incident"; readonly incident: IncidentReport }
  | { readonly type: "ring_time.over" }
  | { readonly type: "talk_time.nearly_over" }
  | { readonly type: "talk_time.over" }
  | { readonly type: "farewell_time.over" }
  | { readonly type: "close_time.over" }
  | { readonly type: "settle_time.over" }
  | { readonly type: "hangup.requested" }
  | { readonly type: "credit.nearly_ended"; readonly reason: "insufficient_credit" | "spend_limit" }
  | { readonly type: "credit.ended"; readonly reason: "insufficient_credit" | "spend_limit" }
  | { readonly type: "worker.stopping" }
  | { readonly type: "lease.lost" };

export type RunEffect =
  | { readonly type: "dial" }
  | { readonly type: "requeue" }
  | { readonly type: "commit_ringing" }
  | { readonly type: "commit_talking" }
  /** The callee talks to a third party over a second leg, which is charged from here on. */
  | { readonly type: "commit_bridged" }
  /** An event for the timeline that does not change the state of the call. */
  | { readonly type: "commit_note"; readonly event: CallEventType; readonly data: Readonly<Record<string, unknown>> }
  | { readonly type: "commit_incident"; readonly incident: IncidentReport }
  | { readonly type: "hang_up" }
  /** Has the agent say goodbye. Without an agent, the time for it ends immediately, or the call simply continues. */
  | { readonly type: "say_farewell"; readonly otherwise: "hang_up" | "go_on" }
  /** Waits for the last entries of the conversation, if there is one. */
  | { readonly type: "settle" }
  | { readonly type: "start_timer"; readonly timer: "ring" | "talk" | "farewell" | "close" | "settle" }
  | { readonly type: "wait_for_trunk"; readonly tries: number }
  | {
      readonly type: "commit_end";
      readonly decision: EndDecision;
      readonly answered: boolean;
      readonly leg: LegEnd | null;
    }
  | { readonly type: "abandon" };

/**
 * After so many tries a call returns to the queue, so that one full trunk does not fill a worker with waiting calls.
 */
const TRUNK_TRIES_MAX = 8;

/** The next state and its effects. An event that has no meaning in a state changes nothing. */
export function stepRun(state: RunState, event: RunEvent): Stepped {
  if (state.phase === "over") return [state, []];
  if (event.type === "lease.lost") return [{ phase: "over" }, [{ type: "abandon" }]];
  if (event.type === "incident") return [state, [{ type: "commit_incident", incident: event.incident }]];
  switch (state.phase) {
    case "waiting":
      return stepWaiting(state, event);
    case "placing":
      return stepPlacing(state, event);
    case "dialing":
    case "ringing":
      return stepUnanswered(state, event);
    case "talking":
      return stepTalking(state, event);
    case "closing":
      return stepClosing(state, event);
    case "settling":
      return stepSettling(state, event);
  }
}

function stepWaiting(state: Extract<RunState, { phase: "waiting" }>, event: RunEvent): Stepped {
  switch (event.type) {
    case "send_time.reached":
      return [{ phase: "placing", tries: state.tries }, [{ type: "dial" }]];
    case "hangup.requested":
      return over({ reason: "canceled", by: "api", isOrderly: true }, false, null);
    case "worker.stopping":
      return [{ phase: "over" }, [{ type: "requeue" }]];
    default:
      return [state, []];
  }
}

function stepPlacing(state: Extract<RunState, { phase: "placing" }>, event: RunEvent): Stepped {
  switch (event.type) {
    case "gate.refused":
      return over({ reason: event.reason, by: "service", isOrderly: false }, false, null);
    case "gate.deferred":
      return [{ phase: "over" }, [{ type: "requeue" }]];
    case "engine.unavailable":
      return over(decisionOfConversation("engine_error"), false, null);
    case "write_ahead.refused":
      return over({ reason: "canceled", by: "api", isOrderly: true }, false, null);
    case "trunks.full": {
      const tries = state.tries + 1;
      return tries < TRUNK_TRIES_MAX
        ? [{ phase: "waiting", tries }, [{ type: "wait_for_trunk", tries }]]
        : [{ phase: "over" }, [{ type: "requeue" }]];
    }
    case "dial.written":
      return [{ phase: "dialing" }, []];
    default:
      return stepUnanswered(state, event);
  }
}

function stepUnanswered(state: RunState, event: RunEvent): Stepped {
  switch (event.type) {
    case "dial.failed":
      return over({ reason: "carrier_unavailable", by: "service", isOrderly: false }, false, null);
    // Before another attempt: the carrier ends its leg on its own.
    case "write_ahead.refused":
      return close({ reason: "canceled", by: "api", isOrderly: true }, false);
    case "dial.sent":
      return [state, [{ type: "start_timer", timer: "ring" }]];
    case "ringing":
      return state.phase === "ringing" ? [state, []] : [{ phase: "ringing" }, [{ type: "commit_ringing" }]];
    case "early_media":
      return [state, [note("call.early_media")]];
    case "answered":
      return [
        { phase: "talking", isTransferred: false, farewell: null },
        [{ type: "commit_talking" }, { type: "start_timer", timer: "talk" }],
      ];
    case "ended":
      return over(decisionOfUnanswered(event), false, event);
    // A callee who picks up must not hear silence.
    case "conversation.over":
      return close(decisionOfConversation("engine_error"), false);
    case "ring_time.over":
      return close({ reason: "no_answer", by: "service", isOrderly: false }, false);
    case "hangup.requested":
      return close({ reason: "canceled", by: "api", isOrderly: true }, false);
    case "worker.stopping":
      return close({ reason: "canceled", by: "service", isOrderly: false }, false);
    default:
      return [state, []];
  }
}

type Talking = Extract<RunState, { phase: "talking" }>;

const MAX_DURATION: EndDecision = { reason: "max_duration", by: "service", isOrderly: true };
const STOPPING: EndDecision = { reason: "agent_hangup", by: "service", isOrderly: true };

function stepTalking(state: Talking, event: RunEvent): Stepped {
  switch (event.type) {
    case "ended":
      return settle(decisionOfLine(state.isTransferred, event), event);
    case "conversation.over":
      return endTalk(state, event.reason);
    // Which key it was is private (a PIN, a card number), and the timeline cannot be erased, so the key is left out.
    case "dtmf":
      return [state, [note("call.key_pressed", { durationMs: event.durationMs })]];
    case "audio_missing":
      return [state, [note("call.audio_missing")]];
    case "audio_returned":
      return [state, [note("call.audio_returned")]];
    case "transfer_progressed": {
      const { type: _, ...progress } = event;
      const isTransferred = state.isTransferred || event.state === "completed";
      const isBridged = event.how === "bridge" && event.state === "completed";
      const effects = [note("call.transfer", progress), ...(isBridged ? [{ type: "commit_bridged" as const }] : [])];
      return [{ ...state, isTransferred }, effects];
    }
    case "talk_time.nearly_over":
      return sayFarewell(state, MAX_DURATION, "go_on");
    case "talk_time.over":
      return close(MAX_DURATION, true);
    case "hangup.requested":
      return close({ reason: "api_hangup", by: "api", isOrderly: true }, true);
    case "credit.nearly_ended":
      return sayFarewell(state, { reason: event.reason, by: "service", isOrderly: true }, "go_on");
    case "credit.ended":
      return close({ reason: event.reason, by: "service", isOrderly: true }, true);
    case "worker.stopping":
      return sayFarewell(state, STOPPING, "hang_up");
    case "farewell_time.over":
      return state.farewell === null ? [state, []] : close(state.farewell, true);
    default:
      return [state, []];
  }
}

/** The agent has finished. If the callee hung up, the line reports that as well. */
function endTalk(state: Talking, end: ConversationEnd): Stepped {
  if (end === "callee_hangup") return [state, []];
  if (end === "transferred") return [{ ...state, isTransferred: true }, []];
  return close(
    end === "agent_hangup" ? (state.farewell ?? decisionOfConversation(end)) : decisionOfConversation(end),
    true,
  );
}

/** The call must end soon, and the agent says so. The limit itself is still enforced. */
function sayFarewell(state: Talking, farewell: EndDecision, otherwise: "hang_up" | "go_on"): Stepped {
  if (state.farewell !== null) return [state, []];
  const next: RunState = { ...state, farewell };
  if (otherwise === "go_on") return [next, [{ type: "say_farewell", otherwise }]];
  return [
    next,
    [
      { type: "start_timer", timer: "farewell" },
      { type: "say_farewell", otherwise },
    ],
  ];
}

function stepClosing(state: Extract<RunState, { phase: "closing" }>, event: RunEvent): Stepped {
  switch (event.type) {
    case "answered":
      // The answer crossed our cancel request: the callee did pick up, so the call counts as answered and is hung up at
      // once.
      return [
        { phase: "closing", answered: true, decision: decisionWhenAnswered(state.decision) },
        [{ type: "commit_talking" }, { type: "hang_up" }],
      ];
    case "ended":
      return state.answered ? settle(state.decision, event) : over(state.decision, false, event);
    // Nothing was sent after all, so there is nothing to wait for.
    case "gate.refused":
    case "gate.deferred":
    case "engine.unavailable":
    case "trunks.full":
    case "dial.failed":
    case "close_time.over":
      return over(state.decision, state.answered, null);
    default:
      return [state, []];
  }
}

function stepSettling(state: Extract<RunState, { phase: "settling" }>, event: RunEvent): Stepped {
  switch (event.type) {
    case "conversation.over":
      return [{ ...state, decision: decisionInHindsight(state.decision, event.reason) }, []];
    case "conversation.finished":
    case "settle_time.over":
      return over(state.decision, true, state.leg);
    default:
      return [state, []];
  }
}

/** The state after an event, and the effects to carry out. */
type Stepped = readonly [RunState, readonly RunEffect[]];

function note(event: CallEventType, data: Readonly<Record<string, unknown>> = {}): RunEffect {
  return { type: "commit_note", event, data };
}

/** Asks the network to end the call, for this reason. */
function close(decision: EndDecision, answered: boolean): Stepped {
  return [{ phase: "closing", answered, decision }, [{ type: "hang_up" }, { type: "start_timer", timer: "close" }]];
}

function over(decision: EndDecision, answered: boolean, leg: LegEnd | null): Stepped {
  return [{ phase: "over" }, [{ type: "commit_end", decision, answered, leg }]];
}

/** The line is gone; the end is committed once the whole transcript is. */
function settle(decision: EndDecision, leg: LegEnd): Stepped {
  return [{ phase: "settling", decision, leg }, [{ type: "start_timer", timer: "settle" }, { type: "settle" }]];
}

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

/** The end of a leg that was never answered. */
function decisionOfUnanswered({ cause, by }: LegEnd): EndDecision {
  return { reason: REASON_BY_CAUSE[cause], by: by === "callee" ? "callee" : "service", isOrderly: false };
}

/** The end of an answered leg, as far as the line knows. */
function decisionOfLine(isTransferred: boolean, { by, cause }: LegEnd): EndDecision {
  if (isTransferred) return { reason: "transferred", by: by === "callee" ? "callee" : "agent", isOrderly: true };
  if (by === "callee") return { reason: "callee_hangup", by: "callee", isOrderly: true };
  if (by === "us" && cause === "hangup") return { reason: "agent_hangup", by: "service", isOrderly: true };
  return { reason: REASON_BY_CAUSE[cause], by: "service", isOrderly: false };
}

/**
 * The end of a conversation, as the agent saw it. A line where no callee was reached after all (a number out of
 * service, a line without audio) and an agent that failed make a failed call.
 */
const VERDICT_BY_END: Readonly<Record<ConversationEnd, EndDecision>> = {
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

function decisionOfConversation(end: ConversationEnd): EndDecision {
  return VERDICT_BY_END[end];
}

/** The agent's result is kept, even if the callee hung up first. */
const STANDS_AFTER_HANGUP: ReadonlySet<ConversationEnd> = new Set(["voicemail_left", "voicemail_hangup", "fax"]);

/** Corrects the decision after the line is gone, once the agent has reported how far it got. */
function decisionInHindsight(decision: EndDecision, end: ConversationEnd): EndDecision {
  // Regardless of who ended it: a conversation that we failed did not take place.
  if (end === "engine_error" && decision.isOrderly && decision.reason !== "transferred")
    return decisionOfConversation(end);
  if (decision.reason !== "callee_hangup" || !STANDS_AFTER_HANGUP.has(end)) return decision;
  return { ...decisionOfConversation(end), by: "callee" };
}

/** The callee picked up before our cancel request reached the network. */
function decisionWhenAnswered(decision: EndDecision): EndDecision {
  if (decision.by === "api") return { reason: "api_hangup", by: "api", isOrderly: true };
  return { ...decision, isOrderly: decision.reason !== "engine_error" };
}
