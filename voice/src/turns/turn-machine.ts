import { endConversation, endPolitely, loseLine } from "./end-conversation.ts";
import { fireTimer } from "./fire-timer.ts";
import { followTransfer } from "./follow-transfer.ts";
import { hearRecognition, missRecognition } from "./hearing/hear-recognition.ts";
import { hearWindow } from "./hearing/hear-window.ts";
import { answerCall, readyGreeting } from "./open-call.ts";
import { loseHearing, regainHearing } from "./own-failures.ts";
import { pressKey } from "./press-keys.ts";
import {
  actOnCue,
  closeWithReply,
  failReply,
  finishReply,
  progressReply,
  startClause,
  startSpeaking,
} from "./replies/follow-reply.ts";
import { screenCall } from "./screen-call.ts";
import { andThen, chain, incident, type Step, stay } from "./step.ts";
import type { TurnEvent } from "./turn-events.ts";
import { overrideTurnSettings } from "./turn-settings.ts";
import { replyOf, type TurnState } from "./turn-state.ts";
import { loseAudience, regainAudience } from "./unheard.ts";

/**
 * Decides what one event means for the conversation. Pure: no clock, no audio, no waiting. The phases a conversation
 * can be in are listed in turn-state.ts; each kind of decision has a file of its own in this folder.
 */
export function stepTurn(state: TurnState, event: TurnEvent): Step {
  if (state.phase.name === "ended" || isStale(state, event)) return stay(state);
  const step = decide(state, event);
  if (step[0].phase.name !== "ended") return step;
  // How long we heard nothing, or were not heard, is known when it is over.
  const heard = andThen(step, (now) => regainHearing(now, event.atMs));
  return andThen(heard, (now) => regainAudience(now, event.atMs));
}

function decide(state: TurnState, event: TurnEvent): Step {
  const { atMs } = event;
  switch (event.type) {
    case "window.judged":
      return hearWindow(state, event);
    case "recognition.heard":
      return hearRecognition(state, event);
    case "recognition.failed":
      return missRecognition(state, event);
    case "hearing.lost":
      return loseHearing(state, event.sinceMs);
    case "hearing.returned":
      return regainHearing(state, atMs);
    case "timer.fired":
      return fireTimer(state, event.timer, atMs);

    case "brain.expects": {
      const { expectation } = event;
      return stay({ ...state, expectation, settings: overrideTurnSettings(state.plan.settings, expectation.settings) });
    }
    case "reply.clause":
      return progressReply(state, atMs, true);
    case "reply.progressed":
      return progressReply(state, atMs, false);
    case "reply.ready":
      return readyGreeting(state, atMs);
    case "reply.closes":
      return closeWithReply(state, event.reason);
    case "reply.cue":
      return actOnCue(state, event.cue, atMs);
    case "reply.failed":
      return chain(
        state,
        (now) => [now, [incident(event.part === "voice" ? "speech_failed" : "agent_failed", event.reason, atMs)]],
        (now) => failReply(now, atMs),
      );
    case "brain.model_asked":
      return stay({ ...state, ours: { ...state.ours, hasModelFailed: event.hasFailed } });
    case "playout.started":
      return startSpeaking(state, event.startMs, atMs);
    case "playout.clause_started":
      return startClause(state, event);
    case "playout.finished":
      return finishReply(state, atMs);

    case "line.answered":
      return answerCall(state, atMs);
    case "line.key_pressed":
      return pressKey(state, event.key, atMs);
    case "line.audio_missing":
      return stay({ ...state, isAudioMissing: true });
    case "line.audio_returned":
      return stay({ ...state, isAudioMissing: false });
    case "line.not_heard":
      return loseAudience(state, event, atMs);
    case "line.heard_again":
      return regainAudience(state, atMs);
    case "line.transfer_progressed":
      return followTransfer(state, event, atMs);
    case "line.ended":
      return loseLine(state);

    case "screening.decided":
      return screenCall(state, event.decision, atMs);
    case "service.ends":
      return endPolitely(state, event.farewell, atMs);
    case "engine.failed":
      return chain(
        state,
        (now) => [now, [incident("conversation_failed", event.reason, atMs)]],
        (now) => endConversation(now, "engine_error", true),
      );
  }
}

/** A reply that was cut off may still report in, and a timer that was cancelled may have fired already. */
function isStale(state: TurnState, event: TurnEvent): boolean {
  if (event.type === "timer.fired") return state.timers[event.timer] !== event.dueMs;
  return "turnId" in event && event.turnId !== replyOf(state)?.turnId;
}
