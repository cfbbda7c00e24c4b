import { isEcho } from "../echo/echo-guard.ts";
import { canBeUndone, takeBackTurn } from "../replies/cut-off.ts";
import { considerSpeechOver, letPass } from "../replies/speak-over.ts";
import { armMusic, armSilence } from "../silence.ts";
import { cancelTimers, chain, type Step, setTimer, stay } from "../step.ts";
import type { TurnEvent, WindowJudged } from "../turn-events.ts";
import type { TurnState } from "../turn-state.ts";
import { watchMusic } from "./hold-music.ts";
import { askWhatWasSaid, cutLongUtterance, openUtterance, resumeUtterance } from "./open-utterance.ts";
import { QUIET, type SpeechSign, segmentSpeech } from "./speech-segmenter.ts";
import { piecesOf, type Utterance } from "./utterance.ts";

type Window = Extract<TurnEvent, { type: "window.judged" }>;

/** The weight of a window in the loudness of an utterance. */
const LEVEL_WEIGHT = 0.1;
/** Our own voice coming back is not the callee's. */
const SILENT_DBFS = -100;

/** One window of what is heard: whether the callee speaks, and whether there is music. */
export function hearWindow(state: TurnState, window: Window): Step {
  const { name } = state.phase;
  if (name === "ringing" || name === "closing" || name === "transferring") return stay(state);
  if (window.lineEchoes === true && state.lineEchoes !== true && isSuspect(state)) {
    return chain({ ...state, speech: QUIET, lineEchoes: true }, letPass, (now) => hearWindow(now, window));
  }
  const isOurs = isEcho(window.echo, window.levelDbfs, state.settings);
  const judged = isOurs || hasFallenSilent(state, window) ? { ...window, probability: 0 } : window;
  const [speech, sign] = segmentSpeech(state.speech, judged, state.settings);
  const utterance = listenInPause(state.utterance, isOurs ? SILENT_DBFS : window.levelDbfs);
  const heard = { ...state, speech, lineEchoes: window.lineEchoes, utterance };
  return chain(
    heard,
    (now) => (mayBeMusic(now, isOurs) ? hearMusic(now, judged) : stay(now)),
    (now) => (sign === null ? stay(now) : followSpeech(now, sign, judged)),
  );
}

function listenInPause(utterance: Utterance | null, levelDbfs: number): Utterance | null {
  return utterance === null || utterance.isSpeaking ? utterance : { ...utterance, newestDbfs: levelDbfs };
}

/** Detection notices the end of speech up to two windows late. On a quiet line the level shows it immediately. */
function hasFallenSilent({ utterance, settings }: TurnState, { levelDbfs }: Window): boolean {
  return utterance?.isSpeaking === true && levelDbfs < utterance.peakDbfs - settings.pauseBelowVoiceDb;
}

/** Speech that started over our voice before the line was known to echo was our voice. A speaking callee is detected again. */
function isSuspect({ utterance, phase }: TurnState): boolean {
  return phase.name === "speaking" && utterance !== null && utterance.beganOver && !utterance.isFirstWords;
}

function followSpeech(state: TurnState, sign: SpeechSign, window: Window): Step {
  if (state.phase.name === "awaiting_beep") return listenForBeep(state, sign, window, state.phase.sinceMs);
  switch (sign.type) {
    case "started":
      return startSpeech(state, sign.startMs, window);
    case "speaking":
      return sign.isVoiced ? goOnSpeaking(state, window) : stay(state);
    case "paused":
      return pauseSpeech(state);
  }
}

function startSpeech(state: TurnState, startMs: number, window: WindowJudged): Step {
  const { utterance, phase } = state;
  if (utterance !== null) return resumeUtterance(state, utterance, startMs, window);
  if (phase.name === "thinking" && canBeUndone(phase.reply)) {
    return chain(
      state,
      (now) => takeBackTurn(now, phase.reply, startMs),
      (now) => openUtterance(now, startMs, window, piecesOf(phase.reply.answers)),
    );
  }
  return openUtterance(state, startMs, window);
}

function goOnSpeaking(state: TurnState, window: Window): Step {
  const { utterance, phase, settings } = state;
  if (utterance === null) {
    // The callee continued while the turn was taken, and still speaks when the floor returns.
    const hasFloor = phase.name === "listening" || phase.name === "opening";
    return hasFloor ? openUtterance(state, window.endMs - window.durationMs, window) : stay(state);
  }
  if (!utterance.isSpeaking) return stay(state);
  const longer = lengthen(utterance, window);
  const heard = { ...state, utterance: longer };
  if (phase.name === "speaking") {
    const goesOn =
      canBeUndone(phase.reply) &&
      longer.stretchMs >= settings.undoSpeechMs &&
      longer.startMs <= phase.startedMs + settings.undoWithinMs;
    if (!goesOn) return considerSpeechOver(heard, longer);
    return chain(
      heard,
      (now) => takeBackTurn(now, phase.reply, longer.startMs),
      (now) => stay({ ...now, utterance: { ...longer, beganOver: false, pieces: piecesOf(phase.reply.answers) } }),
    );
  }
  if (window.endMs - longer.pieceStartMs >= settings.segmentMaxMs) return cutLongUtterance(heard, longer, window.endMs);
  return stay(heard);
}

function pauseSpeech(state: TurnState): Step {
  const { utterance, settings } = state;
  if (utterance === null || !utterance.isSpeaking) return stay(state);
  const paused = { ...utterance, isSpeaking: false };
  return chain(
    state,
    (now) => askWhatWasSaid(now, paused, { isGuess: true }),
    (now) => setTimer(now, "recognition", paused.lastSpeechMs + settings.recognitionUrgentMs),
    // What was said on picking up need not be known before we begin.
    (now) =>
      state.phase.name === "opening"
        ? setTimer(now, "hold", paused.lastSpeechMs + settings.freeSpeechHoldMaxMs)
        : stay(now),
  );
}

function lengthen(utterance: Utterance, { endMs, durationMs, probability, levelDbfs }: Window): Utterance {
  return {
    ...utterance,
    lastSpeechMs: endMs,
    voicedMs: utterance.voicedMs + durationMs,
    stretchMs: utterance.stretchMs + (endMs - utterance.lastSpeechMs),
    peakProbability: Math.max(utterance.peakProbability, probability),
    levelDbfs: utterance.levelDbfs + (levelDbfs - utterance.levelDbfs) * LEVEL_WEIGHT,
    peakDbfs: Math.max(utterance.peakDbfs, levelDbfs),
    newestDbfs: levelDbfs,
  };
}

/** Music goes on while we think and speak. Our own voice coming back is neither music nor a break in it. */
function mayBeMusic({ phase, lineEchoes }: TurnState, isOurs: boolean): boolean {
  if (phase.name === "listening") return true;
  return (phase.name === "thinking" || phase.name === "speaking") && !isOurs && lineEchoes !== true;
}

function hearMusic(state: TurnState, window: Window): Step {
  const isSpeech = window.probability >= state.settings.speechStartProbability;
  const music = watchMusic(state.music, { ...window, isSpeech }, state.settings);
  const next = { ...state, music };
  if (music.isOn === state.music.isOn) return stay(next);
  if (music.isOn) {
    return chain(
      next,
      (now) => cancelTimers(now, "silence", "silence_limit"),
      (now) => armMusic(now, window.endMs),
      (now) => [now, [note("hold music", window.endMs)]],
    );
  }
  const isAwaited = state.phase.name === "listening";
  return chain(
    isAwaited ? { ...next, silence: { sinceMs: window.endMs, prompts: 0 } } : next,
    (now) => cancelTimers(now, "music"),
    (now) => armSilence(now, window.endMs),
    (now) => [now, [note("hold music over", window.endMs)]],
  );
}

function note(text: string, atMs: number) {
  return { type: "journal.note", entry: { type: "note", text, atMs } } as const;
}

/** The message is also left when a voicemail says no more and no tone was recognized. */
function listenForBeep(state: TurnState, sign: SpeechSign, window: Window, sinceMs: number): Step {
  const latestMs = sinceMs + state.settings.beepMaxMs;
  if (sign.type === "started") return setTimer(state, "beep", latestMs);
  if (sign.type !== "paused") return stay(state);
  return setTimer(state, "beep", Math.min(latestMs, window.endMs + state.settings.beepSilenceMs));
}
