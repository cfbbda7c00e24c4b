import type { ConversationEnd } from "@parley/voice/ports/conversation-journal";
import type { RunEvent, RunState, Verdict } from "./run-state.ts";
import { close, note, over, type Stepped, settle } from "./run-steps.ts";
import { verdictInHindsight, verdictOfConversation, verdictOfLine, verdictWhenAnswered } from "./run-verdicts.ts";

type Talking = Extract<RunState, { phase: "talking" }>;

const MAX_DURATION: Verdict = { reason: "max_duration", by: "service", isOrderly: true };
const STOPPING: Verdict = { reason: "agent_hangup", by: "service", isOrderly: true };

export function stepTalking(state: Talking, event: RunEvent): Stepped {
  switch (event.type) {
    case "ended":
      return settle(verdictOfLine(state.isTransferred, event), event);
    case "conversation.over":
      return endTalk(state, event.reason);
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

/** The agent has nothing more to say. When it was the callee who left, the line says so as well. */
function endTalk(state: Talking, end: ConversationEnd): Stepped {
  if (end === "callee_hangup") return [state, []];
  if (end === "transferred") return [{ ...state, isTransferred: true }, []];
  return close(
    end === "agent_hangup" ? (state.farewell ?? verdictOfConversation(end)) : verdictOfConversation(end),
    true,
  );
}

/** The call must end soon, and the callee is told. The limit itself holds all the same. */
function sayFarewell(state: Talking, farewell: Verdict, otherwise: "hang_up" | "go_on"): Stepped {
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

export function stepClosing(state: Extract<RunState, { phase: "closing" }>, event: RunEvent): Stepped {
  switch (event.type) {
    case "answered":
      // The answer crossed our cancel: the callee did pick up, so the call counts as answered and is hung up at once.
      return [
        { phase: "closing", answered: true, verdict: verdictWhenAnswered(state.verdict) },
        [{ type: "commit_talking" }, { type: "hang_up" }],
      ];
    case "ended":
      return state.answered ? settle(state.verdict, event) : over(state.verdict, false, event);
    // Nothing was sent after all, so there is nothing to wait for.
    case "gate.refused":
    case "gate.deferred":
    case "engine.unavailable":
    case "trunks.full":
    case "dial.failed":
    case "close_time.over":
      return over(state.verdict, state.answered, null);
    default:
      return [state, []];
  }
}

export function stepSettling(state: Extract<RunState, { phase: "settling" }>, event: RunEvent): Stepped {
  switch (event.type) {
    case "conversation.over":
      return [{ ...state, verdict: verdictInHindsight(state.verdict, event.reason) }, []];
    case "conversation.finished":
    case "settle_time.over":
      return over(state.verdict, true, state.leg);
    default:
      return [state, []];
  }
}
