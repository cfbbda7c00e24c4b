import { endConversation } from "./end-conversation.ts";
import { failTransfer } from "./follow-transfer.ts";
import { endLongUtterance, hurryRecognition } from "./hearing/hear-recognition.ts";
import { considerPermit, endFirstWords, giveUpGreeting, identifyCaller, stopWaitingForHello } from "./open-call.ts";
import { noteTurnTaken } from "./own-failures.ts";
import { takeKeys } from "./press-keys.ts";
import { failReply } from "./replies/follow-reply.ts";
import { letPass } from "./replies/speak-over.ts";
import { startReply, turnAt } from "./replies/start-reply.ts";
import { leaveMessage } from "./screen-call.ts";
import { chain, incident, type Step, setTimer, stay } from "./step.ts";
import { takeTurn } from "./take-turn.ts";
import type { TimerName } from "./turn-events.ts";
import type { TurnState } from "./turn-state.ts";
import { suspectUnheard } from "./unheard.ts";

/** A timer has fired. It is known to be the one that was set last under its name. */
export function fireTimer(state: TurnState, timer: TimerName, atMs: number): Step {
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
    case "music":
      return endForSilence(now);
    case "keys":
      return takeKeys(now, atMs);
    case "watchdog":
      return freeReply(now, atMs);
    case "beep":
      return leaveMessage(now, atMs);
    case "transfer":
      return failTransfer(now, "nobody answered in time", atMs);
    case "hangup":
      return now.phase.name === "closing" ? endConversation(now, now.phase.reason, true) : stay(now);
  }
}

function endHold(state: TurnState, atMs: number): Step {
  if (state.phase.name === "opening") return endFirstWords(state, atMs);
  if (state.phase.name === "listening") {
    return mayBeGoingOn(state, atMs)
      ? setTimer(state, "hold", atMs + state.settings.speechStartMs)
      : takeTurn(state, atMs);
  }
  return state.phase.name === "thinking" || state.phase.name === "speaking" ? letPass(state) : stay(state);
}

/**
 * "Yes," and, just as the time is over, "please": audio as loud as the voice soon turns out to be speech or noise. The
 * level reacts faster than detection, but is useless on a noisy line, so it counts only briefly.
 */
function mayBeGoingOn({ speech, utterance, settings }: TurnState, atMs: number): boolean {
  if (speech.kind === "quiet" && speech.runMs > 0) return true;
  if (utterance === null || utterance.hold === null || utterance.isSpeaking) return false;
  const isLoud = utterance.newestDbfs >= utterance.peakDbfs - settings.fadedVoiceDb;
  return isLoud && atMs < utterance.hold.dueMs + 2 * settings.speechStartMs;
}

function promptCallee(state: TurnState, atMs: number): Step {
  if (state.phase.name !== "listening" || state.utterance !== null) return stay(state);
  const count = state.silence.prompts + 1;
  const turn = { type: "silent", count } as const;
  const prompting = { ...noteTurnTaken(state, turn, false), silence: { ...state.silence, prompts: count } };
  return chain(prompting, suspectUnheard, (now) => startReply(now, turnAt(turn, atMs), atMs));
}

function endForSilence(state: TurnState): Step {
  if (state.phase.name !== "listening") return stay(state);
  return endConversation(state, state.isAudioMissing ? "no_audio" : "silence", true);
}

/** A reply has produced nothing for so long that it has failed. */
function freeReply(state: TurnState, atMs: number): Step {
  const stuck =
    state.phase.name === "speaking"
      ? incident("audio_late", "what the agent said was not played on the line", atMs)
      : incident("speech_failed", "nothing to say was ready in time", atMs);
  return chain(
    state,
    (now) => [now, [stuck]],
    (now) => failReply(now, atMs),
  );
}
