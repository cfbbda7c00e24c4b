import { withdrawPrepared } from "../replies/prepare-reply.ts";
import { cancelTimers, chain, type Step, setTimer, stay } from "../step.ts";
import type { TurnEffect } from "../turn-effects.ts";
import type { WindowJudged } from "../turn-events.ts";
import type { TurnState } from "../turn-state.ts";
import { learnPause } from "./callee-pace.ts";
import { HELLO_ANSWERS, OVER_PHRASES } from "./spoken-phrases.ts";
import { followsAnswer, isSaidOverUs, NO_PAUSE, type Utterance, type UtterancePiece } from "./utterance.ts";

/** Speech detection is certain above this, but short noises fool it. */
const CERTAIN_PROBABILITY = 0.8;
const CERTAIN_SPEECH_MS = 200;
/** Anything longer is a sentence. */
const PHRASE_MAX_MS = 1_300;

/** The callee starts to speak. `pieces` is what was said before, when a turn was taken back. */
export function openUtterance(
  state: TurnState,
  startMs: number,
  window: WindowJudged,
  pieces: readonly UtterancePiece[] = [],
): Step {
  const isOpening = state.at.phase === "opening";
  const utterance: Utterance = {
    startMs,
    lastSpeechMs: window.endMs,
    voicedMs: window.endMs - startMs,
    stretchMs: window.endMs - startMs,
    peakProbability: window.probability,
    peakDbfs: window.levelDbfs,
    piecePeakDbfs: window.levelDbfs,
    newestDbfs: window.levelDbfs,
    isSpeaking: true,
    isFirstWords: isOpening || isSaidOnPickingUp(state, startMs),
    beganOver: state.at.phase === "speaking",
    outlastedMs: null,
    isHeldBack: false,
    pieces,
    pieceStartMs: startMs,
    ask: null,
    nextProbeMs: state.settings.probeSpeechMs,
    lastDecision: null,
    heard: null,
    wordsSoFar: null,
    pause: NO_PAUSE,
    hold: null,
  };
  return chain(
    { ...state, utterance, hadFirstWords: true },
    (now) => [now, [{ type: "utterance.open", fromMs: soundFromMs(now, startMs) }]],
    (now) => cancelTimers(now, "silence", "silence_limit", "hold"),
    (now) => setTimer(now, "utterance", startMs + now.settings.turnMaxMs),
    (now) => (isOpening ? setTimer(now, "hello", startMs + now.settings.helloMaxMs) : stay(now)),
  );
}

/** The callee continues after a pause, and so does the turn. */
export function resumeUtterance(state: TurnState, utterance: Utterance, startMs: number, window: WindowJudged): Step {
  const isLong = startMs - utterance.pieceStartMs >= state.settings.segmentMs;
  const closed = isLong ? pieceOf(utterance) : null;
  const pauseMs = startMs - utterance.lastSpeechMs;
  const isOneBreath = utterance.beganOver && pauseMs < state.settings.breathMs;
  const resumed: Utterance = {
    ...utterance,
    lastSpeechMs: window.endMs,
    voicedMs: utterance.voicedMs + (window.endMs - startMs),
    stretchMs: (isOneBreath ? utterance.stretchMs : 0) + window.endMs - startMs,
    peakDbfs: window.levelDbfs,
    piecePeakDbfs: closed === null ? Math.max(utterance.piecePeakDbfs, window.levelDbfs) : window.levelDbfs,
    newestDbfs: window.levelDbfs,
    isSpeaking: true,
    isHeldBack: false,
    pieces: closed === null ? utterance.pieces : [...utterance.pieces, closed],
    pieceStartMs: closed === null ? utterance.pieceStartMs : startMs,
    wordsSoFar: closed === null ? utterance.wordsSoFar : null,
    ask: null,
    nextProbeMs: state.settings.probeSpeechMs,
    lastDecision: null,
    heard: null,
    pause: NO_PAUSE,
    hold: null,
  };
  const wasComplete = utterance.hold?.wasComplete ?? false;
  const pace = utterance.isFirstWords ? state.pace : learnPause(state.pace, pauseMs, wasComplete, state.settings);
  return chain(
    { ...state, utterance: resumed, pace },
    (now) => [
      now,
      closed === null ? abortEffects(utterance) : [{ type: "utterance.cut", fromMs: soundFromMs(now, startMs) }],
    ],
    (now) => cancelTimers(now, "hold", "recognition"),
    (now) =>
      now.timers.utterance === undefined
        ? setTimer(now, "utterance", window.endMs + now.settings.turnMaxMs)
        : stay(now),
  );
}

/** Speech without a pause for longer than recognition can handle: what there is becomes a piece. */
export function cutLongUtterance(state: TurnState, utterance: Utterance, atMs: number): Step {
  const [asked, effects] = askWhatWasSaid(state, { ...utterance, ask: null }, { isGuess: false });
  const piece: UtterancePiece = {
    askId: state.nextAskId,
    startMs: utterance.pieceStartMs,
    text: "",
    words: [],
    answer: null,
  };
  const cut: Utterance = {
    ...utterance,
    pieces: [...utterance.pieces, piece],
    pieceStartMs: atMs,
    piecePeakDbfs: utterance.newestDbfs,
    ask: null,
    wordsSoFar: null,
  };
  return [
    { ...asked, utterance: cut },
    [...abortEffects(utterance), ...effects, { type: "utterance.cut", fromMs: atMs }],
  ];
}

interface AskOptions {
  readonly isGuess: boolean;
  readonly isRetry?: boolean;
  /** The answers to score, which takes time; without them those of the question that was asked. */
  readonly expected?: readonly string[];
}

/** Pending requests are no longer needed. */
export function askWhatWasSaid(
  state: TurnState,
  utterance: Utterance,
  { isGuess, isRetry = false, expected = expectedOf(state, utterance) }: AskOptions,
): Step {
  const askId = state.nextAskId;
  const isSpeechCertain = utterance.peakProbability >= CERTAIN_PROBABILITY && utterance.voicedMs >= CERTAIN_SPEECH_MS;
  const ask = { askId, isGuess, isRetry, speechMs: utterance.stretchMs };
  // It is asked again about all of this speech.
  const superseded = state.late.filter(({ startMs }) => startMs >= utterance.pieceStartMs);
  const late = state.late.filter(({ startMs }) => startMs < utterance.pieceStartMs);
  return [
    { ...state, late, nextAskId: askId + 1, utterance: { ...utterance, ask, heard: null } },
    [
      ...abortEffects(utterance),
      ...superseded.map((each) => ({ type: "recognition.abort", askId: each.askId }) as const),
      { type: "recognition.ask", askId, expected, isSpeechCertain, isGuess, isSpeaking: utterance.isSpeaking },
    ],
  ];
}

/** Forgets what is being said. */
export function closeUtterance(state: TurnState): Step {
  const { utterance } = state;
  if (utterance === null) return withdrawPrepared(state);
  const pending = utterance.pieces.flatMap(({ askId }) => (askId === null ? [] : [askId]));
  return chain(
    { ...state, utterance: null },
    withdrawPrepared,
    (now) => [
      now,
      [
        ...abortEffects(utterance),
        ...pending.map((askId) => ({ type: "recognition.abort", askId }) as const),
        { type: "utterance.close" },
      ],
    ],
    (now) => cancelTimers(now, "hold", "recognition", "utterance"),
  );
}

export function abortEffects({ ask }: Utterance): readonly TurnEffect[] {
  return ask === null ? [] : [{ type: "recognition.abort", askId: ask.askId }];
}

/** What was recognized at a pause, or is being recognized, as a piece of its own. */
function pieceOf({ heard, ask, pieceStartMs: startMs }: Utterance): UtterancePiece | null {
  if (heard !== null) return { askId: null, startMs, text: heard.text, words: heard.words, answer: null };
  return ask === null ? null : { askId: ask.askId, startMs, text: "", words: [], answer: null };
}

export function expectedOf(state: TurnState, utterance: Utterance): readonly string[] {
  if (utterance.isFirstWords) return HELLO_ANSWERS;
  const { answers } = state.expectation;
  const isOver = utterance.beganOver
    ? utterance.pieces.length === 0 && isSaidOverUs(utterance)
    : followsAnswer(utterance);
  return isOver && utterance.voicedMs <= PHRASE_MAX_MS ? [...new Set([...answers, ...OVER_PHRASES])] : answers;
}

function soundFromMs({ settings }: TurnState, startMs: number): number {
  return Math.max(0, startMs - settings.utteranceLeadMs);
}

/** "Hello?" may come a little after we start, and still counts as said on picking up. */
function isSaidOnPickingUp(state: TurnState, startMs: number): boolean {
  const { at, settings } = state;
  if (at.phase !== "thinking" && at.phase !== "speaking") return false;
  if (at.reply.source !== "greeting") return false;
  const justBegan = at.phase === "thinking" || startMs <= at.startedMs + settings.undoWithinMs;
  return justBegan || (!state.hadFirstWords && startMs <= state.answeredMs + settings.firstWordsWithinMs);
}
