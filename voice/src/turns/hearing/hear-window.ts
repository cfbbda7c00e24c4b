import { isEcho } from "../echo/echo-guard.ts";
import { canBeUndone, takeBackTurn } from "../interruptions/cut-off.ts";
import { considerSpeechOver, letPass } from "../interruptions/speak-over.ts";
import { armMusic, armSilence } from "../silence.ts";
import { cancelTimers, chain, type Step, setTimer, stay } from "../step.ts";
import type { TurnEvent, WindowJudged } from "../turn-events.ts";
import type { TurnState } from "../turn-state.ts";
import { endLongUtterance } from "./hear-recognition.ts";
import { watchMusic } from "./hold-music.ts";
import { followVoice, isOtherVoice } from "./near-voice.ts";
import { askWhatWasSaid, cutLongUtterance, openUtterance, resumeUtterance } from "./open-utterance.ts";
import { QUIET, type SpeechSign, segmentSpeech } from "./speech-segmenter.ts";
import { NO_PAUSE, piecesOf, type Utterance } from "./utterance.ts";

type Window = Extract<TurnEvent, { type: "window.judged" }>;

const SILENT_DBFS = -100;

/** Processes one received window: whether the callee speaks, and whether there is music. */
export function hearWindow(state: TurnState, window: Window): Step {
  const { phase } = state.at;
  if (phase === "ringing" || phase === "closing" || phase === "transferring") return stay(state);
  if (window.lineEchoes === true && state.lineEchoes !== true && isSuspect(state)) {
    return chain({ ...state, speech: QUIET, lineEchoes: true }, letPass, (now) => hearWindow(now, window));
  }
  const isOurs = isEcho(window.echo, window.levelDbfs, state.settings);
  const voice = isOurs ? state.voice : followVoice(state.voice, windowOf(window, state), state.settings);
  const isNotTheirs = isOurs || isOtherVoice(voice, state.settings) || hasFallenSilent(state, window);
  const judged = isNotTheirs ? { ...window, probability: 0 } : window;
  const [speech, sign] = segmentSpeech(state.speech, judged, state.settings);
  const utterance = listenInPause(state.utterance, isOurs ? SILENT_DBFS : window.levelDbfs);
  const heard = { ...state, speech, voice, lineEchoes: window.lineEchoes, utterance };
  return chain(
    heard,
    // Voices in the room are not the callee's, but no music either.
    (now) => (mayBeMusic(now, isOurs) ? hearMusic(now, isOurs ? judged : window) : stay(now)),
    (now) => (sign === null ? stay(now) : followSpeech(now, sign, judged)),
  );
}

/** Speech as the segmenter takes it: once the callee's turn is open, detection may be less sure. */
function windowOf({ levelDbfs, durationMs, probability }: Window, { settings, utterance }: TurnState) {
  const { speechKeepProbability, speechStartProbability } = settings;
  const least = utterance?.isSpeaking === true ? speechKeepProbability : speechStartProbability;
  return { levelDbfs, durationMs, isSpeech: probability >= least };
}

function listenInPause(utterance: Utterance | null, levelDbfs: number): Utterance | null {
  return utterance === null || utterance.isSpeaking ? utterance : { ...utterance, newestDbfs: levelDbfs };
}

/** Detection notices the end of speech up to two windows late. On a quiet line the level shows it immediately. */
function hasFallenSilent({ utterance, settings }: TurnState, { levelDbfs }: Window): boolean {
  return utterance?.isSpeaking === true && levelDbfs < utterance.peakDbfs - settings.pauseBelowVoiceDb;
}

/** Speech that started over our voice before the line was known to echo was our voice. A speaking callee is detected again. */
function isSuspect({ utterance, at }: TurnState): boolean {
  return at.phase === "speaking" && utterance !== null && utterance.beganOver && !utterance.isFirstWords;
}

function followSpeech(state: TurnState, sign: SpeechSign, window: Window): Step {
  if (state.at.phase === "awaiting_beep") return listenForBeep(state, sign, window, state.at.sinceMs);
  switch (sign.type) {
    case "started":
      return startSpeech(state, sign.startMs, window);
    case "speaking":
      return sign.isVoiced ? goOnSpeaking(state, window) : stay(state);
    case "paused":
      return pauseSpeech(state, window.atMs);
  }
}

function startSpeech(state: TurnState, startMs: number, window: WindowJudged): Step {
  const { utterance, at } = state;
  if (utterance !== null) return resumeUtterance(state, utterance, startMs, window);
  if (at.phase === "thinking" && canBeUndone(at.reply)) {
    return chain(
      state,
      (now) => takeBackTurn(now, at.reply, startMs),
      (now) => openUtterance(now, startMs, window, piecesOf(at.reply.answers)),
    );
  }
  return openUtterance(state, startMs, window);
}

function goOnSpeaking(state: TurnState, window: Window): Step {
  const { utterance, at, settings } = state;
  if (utterance === null) {
    // The callee continued while the turn was taken, and still speaks when the floor returns.
    const hasFloor = at.phase === "listening" || at.phase === "opening";
    return hasFloor ? openUtterance(state, window.endMs - window.durationMs, window) : stay(state);
  }
  if (!utterance.isSpeaking) return stay(state);
  const longer = lengthen(utterance, window);
  const heard = { ...state, utterance: longer };
  if (at.phase === "speaking") {
    const goesOn =
      canBeUndone(at.reply) &&
      longer.stretchMs >= settings.undoSpeechMs &&
      longer.startMs <= at.startedMs + settings.undoWithinMs;
    if (!goesOn) return considerSpeechOver(heard, longer);
    return chain(
      heard,
      (now) => takeBackTurn(now, at.reply, longer.startMs),
      (now) => stay({ ...now, utterance: { ...longer, beganOver: false, pieces: piecesOf(at.reply.answers) } }),
    );
  }
  if (at.phase === "listening" && longer.stretchMs >= unbrokenMaxMs(state))
    return endLongUtterance(heard, window.endMs);
  if (window.endMs - longer.pieceStartMs >= settings.segmentMaxMs) return cutLongUtterance(heard, longer, window.endMs);
  return stay(heard);
}

/** A callee telling a story pauses less than one who answers. */
function unbrokenMaxMs({ expectation, settings }: TurnState): number {
  return expectation.kind === "free_text" ? 2 * settings.unbrokenSpeechMs : settings.unbrokenSpeechMs;
}

function pauseSpeech(state: TurnState, atMs: number): Step {
  const { utterance, settings } = state;
  if (utterance === null || !utterance.isSpeaking) return stay(state);
  const paused = { ...utterance, isSpeaking: false, pause: { ...NO_PAUSE, noticedMs: atMs } };
  return chain(
    state,
    (now) => askWhatWasSaid(now, paused, { isGuess: true }),
    (now) => setTimer(now, "recognition", paused.lastSpeechMs + settings.recognitionUrgentMs),
    // What was said on picking up need not be known before we start.
    (now) =>
      state.at.phase === "opening"
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
    peakDbfs: Math.max(utterance.peakDbfs, levelDbfs),
    piecePeakDbfs: Math.max(utterance.piecePeakDbfs, levelDbfs),
    newestDbfs: levelDbfs,
  };
}

/** Music continues while we think and speak. Our own echo is neither music nor a break in it. */
function mayBeMusic({ at, lineEchoes }: TurnState, isOurs: boolean): boolean {
  if (at.phase === "listening") return true;
  return (at.phase === "thinking" || at.phase === "speaking") && !isOurs && lineEchoes !== true;
}

function hearMusic(state: TurnState, window: Window): Step {
  const { tonality } = window;
  const music = watchMusic(state.music, { ...windowOf(window, state), tonality }, state.settings);
  const next = { ...state, music };
  if (music.isOn === state.music.isOn) return stay(next);
  if (music.isOn) {
    return chain(
      next,
      (now) => armMusic(now, window.endMs),
      (now) => [now, [note("hold music", window.endMs)]],
    );
  }
  const isAwaited = state.at.phase === "listening";
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

/** The message is also left when a voicemail stops talking and no tone was recognized. */
function listenForBeep(state: TurnState, sign: SpeechSign, window: Window, sinceMs: number): Step {
  const latestMs = sinceMs + state.settings.beepMaxMs;
  if (sign.type === "started") return setTimer(state, "beep", latestMs);
  if (sign.type !== "paused") return stay(state);
  return setTimer(state, "beep", Math.min(latestMs, window.endMs + state.settings.beepSilenceMs));
}
