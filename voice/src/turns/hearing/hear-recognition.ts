import { judgeSpeechOver, judgeWordsSoFar } from "../interruptions/speak-over.ts";
import { endFirstWords } from "../open-call.ts";
import { missSpeech } from "../own-failures.ts";
import { chain, type Step, setTimer, stay } from "../step.ts";
import { considerHold, forgetUtterance, noteCalleeSaid, takeTurn } from "../take-turn.ts";
import type { TurnEvent } from "../turn-events.ts";
import type { LateRecognition, TurnState } from "../turn-state.ts";
import { abortEffects, askWhatWasSaid } from "./open-utterance.ts";
import { lowerCaseWords } from "./spoken-phrases.ts";
import { type HeardWords, isRecognized, NO_PAUSE, NO_WORDS, textOf, type Utterance } from "./utterance.ts";

type Heard = Extract<TurnEvent, { type: "recognition.heard" }>;
type Failed = Extract<TurnEvent, { type: "recognition.failed" }>;

/** Without the number of milliseconds, so that repeats are counted together. */
const NOT_IN_TIME = "the speech recognizer gave no result in time";
/** A recognizer that never answers must not collect requests. */
const LATE_MAX = 3;
const MISSED: HeardWords = { ...NO_WORDS, wasMissed: true };

/** What was recognized. A result for an utterance that is no longer open changes nothing, except in the transcript. */
export function hearRecognition(state: TurnState, event: Heard): Step {
  const late = state.late.find(({ askId }) => askId === event.askId);
  if (late !== undefined) return noteLate(state, late, event);
  const { utterance } = state;
  if (utterance === null) return stay(state);
  const { askId, atMs } = event;
  const heard = understand(state, utterance, event);
  const worked = withWorkMs(utterance, event.workMs ?? null);
  if (utterance.pieces.some((piece) => piece.askId === askId)) {
    return fillPiece(state, worked, askId, heard, atMs);
  }
  if (utterance.ask?.askId !== askId) return stay(state);
  if (utterance.isSpeaking) return judgeWordsSoFar(state, utterance, heard);
  return settle(state, worked, heard, atMs);
}

/**
 * What is said over us in a word or two is often misrecognized; a phrase that people do say then, and that fits the
 * audio nearly as well, is what was meant. The transcript has what was recognized all the same.
 */
function understand({ expectation, settings }: TurnState, { isFirstWords }: Utterance, event: Heard): HeardWords {
  const { text, words, best, confidence, language, isProvisional } = event;
  const known = { ...(language && { language }), ...(isProvisional && { isProvisional }) };
  if (best === null || isFirstWords || expectation.answers.includes(best.answer)) {
    return { text, words, best, confidence, ...known };
  }
  const isSure = best.score >= settings.phraseScoreMin && best.margin >= settings.phraseMarginMin;
  const isSame = lowerCaseWords(text).join(" ") === best.answer;
  if (!isSure || isSame) return { text, words, best: null, confidence: isSame ? 1 : confidence, ...known };
  return { text, meant: best.answer, words, best: null, confidence, ...known };
}

/** The callee was told that we had not understood, but the transcript need not be without the words. */
function noteLate(state: TurnState, late: LateRecognition, event: Heard): Step {
  const { text, words, confidence, language } = event;
  const rest = { ...state, late: state.late.filter((each) => each !== late) };
  const { utterance } = state;
  if (utterance?.pieceStartMs === late.startMs) {
    // Not too late after all; and a callee who speaks on is asked about as a whole.
    const isAwaited = !utterance.isSpeaking && utterance.ask === null;
    return isAwaited ? settle(rest, utterance, understand(rest, utterance, event), event.atMs) : stay(rest);
  }
  if (text === "") return stay(rest);
  const { turnId, startMs, endMs } = late;
  const within = (ms: number) => Math.min(Math.max(ms, startMs), endMs);
  const placed = words.map((word) => ({ ...word, startMs: within(word.startMs), endMs: within(word.endMs) }));
  const entry = {
    ...({ type: "callee_said", turnId, text, startMs, endMs, words: placed } as const),
    ...(confidence !== null && { confidence }),
    ...(language && { language }),
  };
  return [rest, [{ type: "journal.note", entry }]];
}

/** Recognition failed. It is retried once if that may help; then the words count as not understood. */
export function missRecognition(state: TurnState, event: Failed): Step {
  if (state.late.some(({ askId }) => askId === event.askId))
    return stay({ ...state, late: state.late.filter(({ askId }) => askId !== event.askId) });
  const { utterance } = state;
  if (utterance === null) return stay(state);
  const { askId, isRetryable, reason, atMs } = event;
  if (utterance.pieces.some((piece) => piece.askId === askId)) {
    return chain(
      state,
      (now) => missSpeech(now, utterance.isFirstWords, reason, atMs),
      (now) => fillPiece(now, utterance, askId, NO_WORDS, atMs),
    );
  }
  if (utterance.ask?.askId !== askId) return stay(state);
  if (utterance.isSpeaking) return stay({ ...state, utterance: { ...utterance, ask: null } });
  return isRetryable && !utterance.ask.isRetry
    ? askWhatWasSaid(state, { ...utterance, ask: null }, { isGuess: false, isRetry: true })
    : giveUp(state, utterance, reason, atMs);
}

/** The callee has finished but recognition has not: it is first asked to hurry, then no longer awaited. */
export function hurryRecognition(state: TurnState, atMs: number): Step {
  const { utterance, settings } = state;
  if (utterance === null || utterance.isSpeaking) return stay(state);
  // A recognizer that follows the call has been heard of: one that does not answer a guess will not do more.
  if (utterance.ask?.isGuess !== true || utterance.wordsSoFar !== null)
    return giveUp(state, utterance, NOT_IN_TIME, atMs);
  return chain(
    state,
    (now) => askWhatWasSaid(now, utterance, { isGuess: false }),
    (now) => setTimer(now, "recognition", atMs + settings.recognitionMaxMs),
  );
}

/** A callee who speaks without end is still answered. */
export function endLongUtterance(state: TurnState, atMs: number): Step {
  const { utterance } = state;
  if (utterance === null) return stay(state);
  if (!utterance.isSpeaking) return giveUp(state, utterance, NOT_IN_TIME, atMs);
  const paused = { ...utterance, isSpeaking: false, pause: { ...NO_PAUSE, noticedMs: atMs } };
  return chain(
    state,
    (now) => askWhatWasSaid(now, paused, { isGuess: false }),
    (now) => setTimer(now, "recognition", atMs + now.settings.recognitionMaxMs),
  );
}

/** What follows from words whose speaker has paused, depending on who has the floor. */
export function decideAtPause(state: TurnState, atMs: number): Step {
  const { utterance } = state;
  if (utterance === null || utterance.isSpeaking || !isRecognized(utterance)) return stay(state);
  switch (state.at.phase) {
    case "opening":
      return considerHold(state, atMs, (now) => endFirstWords(now, atMs));
    case "listening":
      return considerHold(state, atMs, (now) => takeTurn(now, atMs));
    case "thinking":
    case "speaking":
      return judgeSpeechOver(state, utterance, (now) => decideAtPause(now, atMs));
    case "closing":
      // Nothing follows from a goodbye that is returned, but it is recorded.
      return chain(
        state,
        (now) => noteCalleeSaid(now, utterance),
        (now) => forgetUtterance(now, atMs),
      );
    default:
      return forgetUtterance(state, atMs);
  }
}

/** What was said before this pause is known. */
export function settle(state: TurnState, utterance: Utterance, heard: HeardWords, atMs: number): Step {
  const pause = { ...utterance.pause, heardMs: atMs };
  return chain({ ...state, utterance: { ...utterance, ask: null, heard, pause } }, screenWords, (now) =>
    decideAtPause(now, atMs),
  );
}

function withWorkMs(utterance: Utterance, workMs: number | null): Utterance {
  return { ...utterance, pause: { ...utterance.pause, workMs } };
}

/**
 * Who answered is judged by everything said so far: a machine may speak for longer than recognition handles at once.
 */
function screenWords(state: TurnState): Step {
  const { utterance } = state;
  const text = utterance === null ? "" : textOf(utterance);
  if (utterance === null || text === "") return stay(state);
  const { startMs, lastSpeechMs: endMs } = utterance;
  return [state, [{ type: "screening.words", text, startMs, endMs }]];
}

function giveUp(state: TurnState, utterance: Utterance, reason: string, atMs: number): Step {
  const pieces = utterance.pieces.map((piece) => ({ ...piece, askId: null }));
  const soFar = utterance.heard ?? utterance.wordsSoFar;
  const known = soFar === null ? MISSED : withoutDoubt(soFar);
  const isMissed = known.wasMissed === true || !isRecognized({ ...utterance, heard: known });
  return chain(
    state,
    (now) => (known === MISSED ? leaveLate(now, utterance) : [now, abortEffects(utterance)]),
    (now) => (isMissed ? missSpeech(now, utterance.isFirstWords, reason, atMs) : stay(now)),
    (now) => settle(now, { ...withWorkMs(utterance, null), pieces }, known, atMs),
  );
}

/** The request goes on. What may be our own voice, or music, is not written down. */
function leaveLate(state: TurnState, utterance: Utterance): Step {
  const { ask, beganOver, pieceStartMs, lastSpeechMs } = utterance;
  const isDoubtful = (beganOver && state.lineEchoes !== false) || state.music.isOn;
  if (ask === null || isDoubtful) return [state, abortEffects(utterance)];
  const turnId = state.at.phase === "listening" ? state.turnId + 1 : state.turnId;
  const late = { askId: ask.askId, turnId, startMs: pieceStartMs, endMs: Math.max(pieceStartMs, lastSpeechMs) };
  const dropped = state.late.slice(0, Math.max(0, state.late.length + 1 - LATE_MAX));
  return [
    { ...state, late: [...state.late.slice(dropped.length), late] },
    dropped.map(({ askId }) => ({ type: "recognition.abort", askId })),
  ];
}

/** Nothing more will be known. Words that never came were missed. */
export function withoutDoubt({ isProvisional, ...heard }: HeardWords): HeardWords {
  return isProvisional && heard.text === "" ? MISSED : heard;
}

function fillPiece(state: TurnState, utterance: Utterance, askId: number, heard: HeardWords, atMs: number): Step {
  const pieces = utterance.pieces.map((piece) =>
    piece.askId === askId ? { ...piece, askId: null, text: heard.text, words: heard.words } : piece,
  );
  const pause = { ...utterance.pause, heardMs: atMs };
  return chain({ ...state, utterance: { ...utterance, pieces, pause } }, screenWords, (now) =>
    decideAtPause(now, atMs),
  );
}
