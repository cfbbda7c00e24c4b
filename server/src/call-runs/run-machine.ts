import type { CallEventType, EndReason } from "@parley/contract/calls";
import type { LegEndCause } from "@parley/telephony/carrier";
import type { LegEnd, RunEffect, RunEvent, RunState, Verdict } from "./run-state.ts";

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

/** After so many tries a call goes back to the queue, so that one full trunk does not fill a worker with waiting calls. */
const TRUNK_TRIES_MAX = 8;

/** What follows from an event. An event that means nothing in a state changes nothing. */
export function stepRun(state: RunState, event: RunEvent): Stepped {
  if (state.phase === "over") return [state, []];
  if (event.type === "lease.lost") return [{ phase: "over" }, [{ type: "abandon" }]];
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
    // Before a further attempt: the carrier ends its leg by itself.
    case "write_ahead.refused":
      return close({ reason: "canceled", by: "api", isOrderly: true }, false);
    case "dial.sent":
      return [state, [{ type: "start_timer", timer: "ring" }]];
    case "ringing":
      return state.phase === "ringing" ? [state, []] : [{ phase: "ringing" }, [{ type: "commit_ringing" }]];
    case "earlyMedia":
      return [state, [note("call.early_media")]];
    case "answered":
      return [
        { phase: "talking", isTransferred: false },
        [{ type: "commit_talking" }, { type: "start_timer", timer: "talk" }],
      ];
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

function stepTalking(state: Extract<RunState, { phase: "talking" }>, event: RunEvent): Stepped {
  switch (event.type) {
    case "ended":
      return over(verdictOfEnd(state.isTransferred, event), true, event);
    // Which key it was is the callee's own business (a PIN, a card): the timeline cannot be erased and says only that.
    case "dtmf":
      return [state, [note("call.key_pressed", { durationMs: event.durationMs })]];
    case "audioMissing":
      return [state, [note("call.audio_missing")]];
    case "audioReturned":
      return [state, [note("call.audio_returned")]];
    case "transferProgress": {
      const { type: _, ...progress } = event;
      const isTransferred = state.isTransferred || event.state === "completed";
      return [{ phase: "talking", isTransferred }, [note("call.transfer", progress)]];
    }
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
    // Nothing was sent after all, so there is nothing to wait for.
    case "gate.refused":
    case "trunks.full":
    case "dial.failed":
    case "close_time.over":
      return over(state.verdict, state.answered, null);
    default:
      return [state, []];
  }
}

function verdictOfEnd(isTransferred: boolean, { by, cause }: LegEnd): Verdict {
  if (isTransferred) return { reason: "transferred", by: by === "callee" ? "callee" : "agent", isOrderly: true };
  if (by === "callee") return { reason: "callee_hangup", by: "callee", isOrderly: true };
  if (by === "us" && cause === "hangup") return { reason: "agent_hangup", by: "service", isOrderly: true };
  return { reason: REASON_BY_CAUSE[cause], by: "service", isOrderly: false };
}

function answeredVerdict(verdict: Verdict): Verdict {
  if (verdict.by === "api") return { reason: "api_hangup", by: "api", isOrderly: true };
  return { ...verdict, isOrderly: true };
}

function note(event: CallEventType, data: Readonly<Record<string, unknown>> = {}): RunEffect {
  return { type: "commit_note", event, data };
}

function close(verdict: Verdict, answered: boolean): Stepped {
  return [{ phase: "closing", answered, verdict }, [{ type: "hang_up" }, { type: "start_timer", timer: "close" }]];
}

function over(verdict: Verdict, answered: boolean, leg: LegEnd | null): Stepped {
  return [{ phase: "over" }, [{ type: "commit_end", verdict, answered, leg }]];
}
