import type { RunEvent, RunState } from "./run-state.ts";
import { close, note, over, type Stepped } from "./run-steps.ts";
import { verdictOfConversation, verdictOfUnanswered } from "./run-verdicts.ts";
import { stepClosing, stepSettling, stepTalking } from "./step-answered.ts";

/** After so many tries a call goes back to the queue, so that one full trunk does not fill a worker with waiting calls. */
const TRUNK_TRIES_MAX = 8;

/** What follows from an event. An event that means nothing in a state changes nothing. */
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
      return over(verdictOfConversation("engine_error"), false, null);
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
        { phase: "talking", isTransferred: false, farewell: null },
        [{ type: "commit_talking" }, { type: "start_timer", timer: "talk" }],
      ];
    case "ended":
      return over(verdictOfUnanswered(event), false, event);
    // Who picks up must not hear silence.
    case "conversation.over":
      return close(verdictOfConversation("engine_error"), false);
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
