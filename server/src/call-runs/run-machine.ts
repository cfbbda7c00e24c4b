import type { EndedBy, EndReason } from "@parley/contract/calls";
import type { LegEndCause, LegEvent } from "@parley/telephony/carrier";

/**
 * One run of a call, from the claim to its end. The states, in plain words:
 *
 *   waiting   claimed; its send time has not come. Nothing was sent: it may still go back to the queue.
 *   dialing   the write-ahead is being committed or the request is on its way. From here on it is never dialed again.
 *   ringing   the callee's phone rings.
 *   talking   the callee answered.
 *   closing   we asked the network to end it and wait, for a bounded time, until it says so.
 *   over      the end is known; what is left is to commit it.
 *
 * `step` is pure: effects are data, and what they lead to comes back as events.
 */
export type RunState =
  | { readonly phase: "waiting" }
  | { readonly phase: "dialing" }
  | { readonly phase: "ringing" }
  | { readonly phase: "talking" }
  | { readonly phase: "closing"; readonly answered: boolean; readonly verdict: Verdict }
  | { readonly phase: "over" };

/** Why a call ended, and by whom. */
export interface Verdict {
  readonly reason: EndReason;
  readonly by: EndedBy;
  readonly isOrderly: boolean;
}

export type LegEnd = Extract<LegEvent, { type: "ended" }>;

export type RunEvent =
  | { readonly type: "send_time.reached" }
  | { readonly type: "gate.refused"; readonly reason: EndReason }
  | { readonly type: "write_ahead.refused" }
  | { readonly type: "dial.sent" }
  | { readonly type: "dial.failed" }
  | LegEvent
  | { readonly type: "ring_time.over" }
  | { readonly type: "talk_time.over" }
  | { readonly type: "close_time.over" }
  | { readonly type: "hangup.requested" }
  | { readonly type: "credit.ended"; readonly reason: "insufficient_credit" | "spend_limit" }
  | { readonly type: "worker.stopping" }
  | { readonly type: "lease.lost" };

export type RunEffect =
  | { readonly type: "dial" }
  | { readonly type: "requeue" }
  | { readonly type: "commit_ringing" }
  | { readonly type: "commit_talking" }
  | { readonly type: "hang_up" }
  | { readonly type: "start_timer"; readonly timer: "ring" | "talk" | "close" }
  | { readonly type: "commit_end"; readonly verdict: Verdict; readonly answered: boolean; readonly leg: LegEnd | null }
  | { readonly type: "abandon" };

type Stepped = readonly [RunState, readonly RunEffect[]];

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

/** What follows from an event. An event that means nothing in a state changes nothing. */
export function stepRun(state: RunState, event: RunEvent): Stepped {
  if (state.phase === "over") return [state, []];
  if (event.type === "lease.lost") return [{ phase: "over" }, [{ type: "abandon" }]];
  switch (state.phase) {
    case "waiting":
      return stepWaiting(state, event);
    case "dialing":
    case "ringing":
      return stepUnanswered(state, event);
    case "talking":
      return stepTalking(state, event);
    case "closing":
      return stepClosing(state, event);
  }
}

function stepWaiting(state: RunState, event: RunEvent): Stepped {
  switch (event.type) {
    case "send_time.reached":
      return [{ phase: "dialing" }, [{ type: "dial" }]];
    case "hangup.requested":
      return over({ reason: "canceled", by: "api", isOrderly: true }, false, null);
    case "worker.stopping":
      return [{ phase: "over" }, [{ type: "requeue" }]];
    default:
      return [state, []];
  }
}

function stepUnanswered(state: RunState, event: RunEvent): Stepped {
  switch (event.type) {
    case "gate.refused":
      return over({ reason: event.reason, by: "service", isOrderly: false }, false, null);
    case "write_ahead.refused":
      return over({ reason: "canceled", by: "api", isOrderly: true }, false, null);
    case "dial.failed":
      return over({ reason: "carrier_unavailable", by: "service", isOrderly: false }, false, null);
    case "dial.sent":
      return [state, [{ type: "start_timer", timer: "ring" }]];
    case "ringing":
      return state.phase === "ringing" ? [state, []] : [{ phase: "ringing" }, [{ type: "commit_ringing" }]];
    case "answered":
      return [{ phase: "talking" }, [{ type: "commit_talking" }, { type: "start_timer", timer: "talk" }]];
    case "ended":
      return over(
        { reason: REASON_BY_CAUSE[event.cause], by: event.by === "callee" ? "callee" : "service", isOrderly: false },
        false,
        event,
      );
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

function stepTalking(state: RunState, event: RunEvent): Stepped {
  switch (event.type) {
    case "ended":
      return event.by === "callee"
        ? over({ reason: "callee_hangup", by: "callee", isOrderly: true }, true, event)
        : over({ reason: REASON_BY_CAUSE[event.cause], by: "service", isOrderly: false }, true, event);
    case "talk_time.over":
      return close({ reason: "max_duration", by: "service", isOrderly: true }, true);
    case "hangup.requested":
      return close({ reason: "api_hangup", by: "api", isOrderly: true }, true);
    case "credit.ended":
      return close({ reason: event.reason, by: "service", isOrderly: true }, true);
    case "worker.stopping":
      return close({ reason: "agent_hangup", by: "service", isOrderly: true }, true);
    default:
      return [state, []];
  }
}

function stepClosing(state: Extract<RunState, { phase: "closing" }>, event: RunEvent): Stepped {
  switch (event.type) {
    case "answered":
      // The answer crossed our cancel: the callee did pick up, so the call counts as answered and is hung up at once.
      return [
        { phase: "closing", answered: true, verdict: answeredVerdict(state.verdict) },
        [{ type: "commit_talking" }, { type: "hang_up" }],
      ];
    case "ended":
      return over(state.verdict, state.answered, event);
    case "close_time.over":
      return over(state.verdict, state.answered, null);
    default:
      return [state, []];
  }
}

function answeredVerdict(verdict: Verdict): Verdict {
  if (verdict.by === "api") return { reason: "api_hangup", by: "api", isOrderly: true };
  return { ...verdict, isOrderly: true };
}

function close(verdict: Verdict, answered: boolean): Stepped {
  return [{ phase: "closing", answered, verdict }, [{ type: "hang_up" }, { type: "start_timer", timer: "close" }]];
}

function over(verdict: Verdict, answered: boolean, leg: LegEnd | null): Stepped {
  return [{ phase: "over" }, [{ type: "commit_end", verdict, answered, leg }]];
}
