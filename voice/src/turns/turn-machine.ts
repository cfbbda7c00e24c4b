import { endConversation, endPolitely, loseLine } from "./end-conversation.ts";
import { failTransfer, followTransfer } from "./follow-transfer.ts";
import { endTurn, expectTurnEnd, resumeTurn, updateWords } from "./hearing/follow-recognition.ts";
import {
  endLongUtterance,
  hearRecognition,
  hurryRecognition,
  missRecognition,
  settle,
  withoutDoubt,
} from "./hearing/hear-recognition.ts";
import { hearWindow } from "./hearing/hear-window.ts";
import { closeUtterance } from "./hearing/open-utterance.ts";
import { isRecognized } from "./hearing/utterance.ts";
import { letPass } from "./interruptions/speak-over.ts";
import {
  answerCall,
  considerPermit,
  endFirstWords,
  giveUpGreeting,
  identifyCaller,
  readyGreeting,
  stopWaitingForHello,
} from "./open-call.ts";
import { loseHearing, noteTurnTaken, regainHearing } from "./own-failures.ts";
import { pressKey, takeKeys } from "./press-keys.ts";
import {
  actOnCue,
  awaitOthers,
  closeWithReply,
  failReply,
  finishReply,
  noteReady,
  progressReply,
  startClause,
  startSpeaking,
} from "./replies/follow-reply.ts";
import { withdrawPrepared } from "./replies/prepare-reply.ts";
import { recite, startReply, turnAt } from "./replies/start-reply.ts";
import { leaveMessage, screenCall } from "./screen-call.ts";
import { andThen, chain, incident, type Step, setTimer, stay } from "./step.ts";
import { takeTurn } from "./take-turn.ts";
import type { TurnEffect } from "./turn-effects.ts";
import type { TimerName, TurnEvent } from "./turn-events.ts";
import { overrideTurnSettings } from "./turn-settings.ts";
import { replyOf, type TurnState, turnInProgress } from "./turn-state.ts";
import { loseAudience, regainAudience, suspectUnheard } from "./unheard.ts";

/**
 * Decides what one event means for the conversation. Pure: no clock, no audio, no waiting. The phases a conversation
 * can be in are listed in turn-state.ts; each kind of decision has a file of its own in this folder.
 */
export function stepTurn(state: TurnState, event: TurnEvent): Step {
  if (state.at.phase === "ended" || isStale(state, event)) return stay(state);
  const decided = andThen(decide(state, event), (now) => (hasFloor(now) ? stay(now) : withdrawPrepared(now)));
  const [after, effects] = settleEnd(decided, event.atMs);
  const turnId = turnInProgress(state);
  const hasIncident = effects.some(({ type }) => type === "incident");
  return [after, hasIncident ? effects.map((effect) => inTurn(effect, turnId)) : effects];
}

/** Whether the callee has the floor, so that a prepared reply may still be the next one. */
function hasFloor({ at, utterance }: TurnState): boolean {
  return at.phase === "listening" && utterance !== null;
}

function settleEnd(step: Step, atMs: number): Step {
  if (step[0].at.phase !== "ended") return step;
  // How long we heard nothing, or were not heard, is known when it is over.
  const heard = andThen(step, (now) => regainHearing(now, atMs));
  return andThen(heard, (now) => regainAudience(now, atMs));
}

/** An incident belongs to the turn in progress when it happened, unless it names another. */
function inTurn(effect: TurnEffect, turnId: number): TurnEffect {
  return effect.type === "incident" ? { turnId, ...effect } : effect;
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
    case "recognition.turn_updated":
      return updateWords(state, event);
    case "recognition.turn_probably_ended":
      return expectTurnEnd(state, event);
    case "recognition.turn_resumed":
      return resumeTurn(state, atMs);
    case "recognition.turn_ended":
      return endTurn(state, event);
    case "recognition.replaced":
      return [state, [incident("recognition_failed", event.reason, atMs)]];
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
    case "reply.waits":
      return awaitOthers(state, event.on, atMs);
    case "reply.ready":
      return chain(
        state,
        (now) => noteReady(now, atMs),
        (now) => readyGreeting(now, atMs),
      );
    case "reply.closes":
      return closeWithReply(state, event.reason);
    case "reply.cue":
      return actOnCue(state, event.cue, atMs);
    case "reply.failed":
      return chain(
        state,
        (now) => [now, [incident(event.part === "voice" ? "speech_failed" : "agent_failed", event.reason, atMs)]],
        (now) => failReply(now, event.part, atMs),
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

/** A timer has fired. It is known to be the one that was set last under its name. */
function fireTimer(state: TurnState, timer: TimerName, atMs: number): Step {
  const { [timer]: _fired, ...timers } = state.timers;
  const now = { ...state, timers };
  switch (timer) {
    case "hello":
      return stopWaitingForHello(now, atMs);
    case "identify":
      return identifyCaller(now, atMs);
    case "greeting":
      return giveUpGreeting(now);
    case "permit":
      return considerPermit(now, atMs);
    case "hold":
      return endHold(now, atMs);
    case "recognition":
      return hurryRecognition(now, atMs);
    case "utterance":
      return endLongUtterance(now, atMs);
    case "silence":
      return promptCallee(now, atMs);
    case "silence_limit":
      return endForSilence(now);
    case "music":
      return leaveMusic(now, atMs);
    case "keys":
      return takeKeys(now, atMs);
    case "watchdog":
      return freeReply(now, atMs);
    case "beep":
      return leaveMessage(now, atMs);
    case "transfer":
      return failTransfer(now, "nobody answered in time", atMs);
    case "hangup":
      return now.at.phase === "closing" ? endConversation(now, now.at.reason, true) : stay(now);
  }
}

function endHold(state: TurnState, atMs: number): Step {
  if (state.at.phase === "opening") return endFirstWords(state, atMs);
  if (state.at.phase === "listening") {
    if (state.utterance !== null && !isRecognized(state.utterance)) return stay(state);
    return mayBeGoingOn(state, atMs) ? extendHold(state, atMs + state.settings.speechStartMs) : takeTurn(state, atMs);
  }
  if (state.at.phase !== "thinking" && state.at.phase !== "speaking") return stay(state);
  const { utterance } = state;
  if (!utterance?.heard?.isProvisional) return letPass(state);
  return settle(state, utterance, withoutDoubt(utterance.heard), atMs);
}

function extendHold(state: TurnState, untilMs: number): Step {
  const { utterance } = state;
  if (utterance === null || utterance.hold === null) return setTimer(state, "hold", untilMs);
  const extended = { ...utterance, hold: { ...utterance.hold, untilMs } };
  return setTimer({ ...state, utterance: extended }, "hold", untilMs);
}

/**
 * "Yes," and, just as the time is over, "please": audio as loud as the voice soon turns out to be speech or noise. The
 * level reacts faster than detection, but is useless on a noisy line, so it counts only briefly.
 */
function mayBeGoingOn({ speech, utterance, settings }: TurnState, atMs: number): boolean {
  if (speech.phase === "quiet" && speech.runMs > 0) return true;
  if (utterance === null || utterance.hold === null || utterance.isSpeaking) return false;
  const isLoud = utterance.newestDbfs >= utterance.peakDbfs - settings.fadedVoiceDb;
  return isLoud && atMs < utterance.hold.dueMs + 2 * settings.speechStartMs;
}

function promptCallee(state: TurnState, atMs: number): Step {
  if (state.at.phase !== "listening" || state.utterance !== null) return stay(state);
  const count = state.silence.prompts + 1;
  const turn = { type: "silent", count } as const;
  const prompting = { ...noteTurnTaken(state, turn, false), silence: { ...state.silence, prompts: count } };
  return chain(prompting, suspectUnheard, (now) => startReply(now, turnAt(turn, atMs), atMs));
}

function endForSilence(state: TurnState): Step {
  if (state.at.phase !== "listening") return stay(state);
  return endConversation(state, state.isAudioMissing ? "no_audio" : "silence", true);
}

/** Says goodbye: the person who put us on hold may be back at that moment. */
function leaveMusic(state: TurnState, atMs: number): Step {
  if (state.at.phase !== "listening") return stay(state);
  return state.isAudioMissing
    ? endForSilence(state)
    : chain(state, closeUtterance, (now) => recite(now, null, "silence", atMs));
}

/** A reply has produced nothing for so long that it has failed. */
function freeReply(state: TurnState, atMs: number): Step {
  const stuck =
    state.at.phase === "speaking"
      ? incident("audio_late", "what the agent said was not played on the line", atMs)
      : incident("speech_failed", "nothing to say was ready in time", atMs);
  return chain(
    state,
    (now) => [now, [stuck]],
    (now) => failReply(now, "voice", atMs),
  );
}
