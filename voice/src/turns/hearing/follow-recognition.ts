import { matchExpectedAnswer } from "../../ports/expected-answer.ts";
import { judgeWordsSoFar } from "../interruptions/speak-over.ts";
import { endFirstWords } from "../open-call.ts";
import { withdrawPrepared } from "../replies/prepare-reply.ts";
import { chain, type Step, setTimer, stay } from "../step.ts";
import { prepareForTurn, takeTurn } from "../take-turn.ts";
import type { FollowedWords, TurnEvent } from "../turn-events.ts";
import type { TurnState } from "../turn-state.ts";
import { judgeHold } from "./endpointing.ts";
import { settle } from "./hear-recognition.ts";
import { isOtherVoice } from "./near-voice.ts";
import { abortEffects, expectedOf } from "./open-utterance.ts";
import { bestOf, type HeardWords, NO_PAUSE, textOf, type Utterance } from "./utterance.ts";

/*
 * What a recognizer that follows the whole call reports by itself. It may end a turn sooner than our silence limits, but
 * they still apply. Speech over our voice is judged by the same rules as ever; its words only come sooner.
 */

type Followed<Type> = Extract<TurnEvent, { type: Type }>;

/** Speech that we detect this long after the end of the reported turn is more than the tail of its last word. */
const GOES_ON_MS = 250;
/** How long detected speech may contradict the end of a turn before the recognizer, which hears no words in it, is believed. */
const CONTRADICTED_MS = 400;

/** More words, or other ones. */
export function updateWords(state: TurnState, event: Followed<"recognition.turn_updated">): Step {
  const { utterance } = state;
  if (utterance === null || event.text === "") return stay(state);
  const heard: HeardWords = { ...wordsOf(state, utterance, event), isProvisional: true };
  const known: Utterance = { ...utterance, wordsSoFar: heard };
  if (utterance.isSpeaking) return judgeOver(state, { ...known, heard: null }, heard);
  const isAwaited = utterance.ask?.isGuess === false;
  return isAwaited ? stay({ ...state, utterance: known }) : settleNow(state, known, heard, event.atMs);
}

/** The reply may be prepared. When the turn is taken is decided as before. */
export function expectTurnEnd(state: TurnState, event: Followed<"recognition.turn_probably_ended">): Step {
  const { utterance } = state;
  if (utterance === null || event.text === "") return stay(state);
  const heard = wordsOf(state, utterance, event);
  const known: Utterance = { ...utterance, wordsSoFar: heard };
  if (state.at.phase !== "listening") return judgeOrSettle(state, known, heard, event.atMs);
  if (goesOn(utterance, event)) return stay({ ...state, utterance: known });
  return chain(
    state,
    (now) => prepareForTurn(now, { ...known, heard, isSpeaking: false }),
    (now) => (known.isSpeaking ? stay({ ...now, utterance: known }) : settleNow(now, known, heard, event.atMs)),
  );
}

/** The callee goes on: the reply is taken back, and our own limit starts again. It is not waited for without end. */
export function resumeTurn(state: TurnState, atMs: number): Step {
  const { utterance, settings } = state;
  return chain(state, withdrawPrepared, (now) => {
    if (now.at.phase !== "listening" || utterance === null || utterance.isSpeaking) return stay(now);
    const { heard, hold } = utterance;
    if (heard === null || hold === null) return stay(now);
    const dueMs = Math.max(hold.dueMs, atMs + settings.freeSpeechHoldMaxMs);
    const resumed: Utterance = {
      ...utterance,
      heard: { ...heard, isProvisional: true },
      hold: { ...hold, dueMs, untilMs: dueMs, holdMs: dueMs - utterance.lastSpeechMs },
    };
    return setTimer({ ...now, utterance: resumed }, "hold", dueMs);
  });
}

/** The turn is over, whatever our silence limits say; except that a number of which digits are missing is waited for. */
export function endTurn(state: TurnState, event: Followed<"recognition.turn_ended">): Step {
  const { utterance, at } = state;
  const { atMs } = event;
  if (event.text === "") return stay(state);
  if (utterance === null) return adoptTurn(state, event);
  const heard = wordsOf(state, utterance, event);
  const known: Utterance = { ...utterance, wordsSoFar: heard };
  if (at.phase !== "listening" && at.phase !== "opening") return judgeOrSettle(state, known, heard, atMs);
  if (goesOn(utterance, event)) {
    return setTimer({ ...state, utterance: { ...known, heard } }, "hold", atMs + CONTRADICTED_MS);
  }
  return commit(state, known, heard, atMs);
}

function commit(state: TurnState, utterance: Utterance, heard: HeardWords, atMs: number): Step {
  const over: Utterance = { ...utterance, ask: null, heard, isSpeaking: false };
  const { because } = judgeHold({
    text: textOf(over),
    best: bestOf(over),
    expectation: state.expectation,
    pace: state.pace,
    settings: state.settings,
  });
  if (because === "missing_digits" && !over.isFirstWords) {
    return settleNow(state, { ...utterance, isSpeaking: false }, heard, atMs);
  }
  const holdMs = Math.max(0, atMs - over.lastSpeechMs);
  const wasComplete = because === "complete_answer";
  const hold = { dueMs: atMs, holdMs, decidedMs: atMs, untilMs: atMs, wasComplete };
  return chain(
    { ...state, utterance: { ...over, hold, pause: { ...over.pause, heardMs: atMs } } },
    (now) => [now, abortEffects(utterance)],
    (now) => (now.at.phase === "opening" ? endFirstWords(now, atMs) : takeTurn(now, atMs)),
  );
}

/**
 * Words that speech detection did not notice: a soft voice. They are answered, unless they may have been said while we
 * had the floor, or by another person in the room.
 */
function adoptTurn(state: TurnState, event: Followed<"recognition.turn_ended">): Step {
  const { at, silence, music, voice, settings } = state;
  const isTheirs = at.phase === "listening" && silence.sinceMs !== null && event.startMs >= silence.sinceMs;
  if (!isTheirs || music.isOn || isOtherVoice(voice, settings)) return stay(state);
  const spokenMs = event.untilMs - event.startMs;
  const utterance: Utterance = {
    startMs: event.startMs,
    lastSpeechMs: event.untilMs,
    voicedMs: spokenMs,
    stretchMs: spokenMs,
    peakProbability: settings.speechStartProbability,
    peakDbfs: 0,
    piecePeakDbfs: 0,
    newestDbfs: 0,
    isSpeaking: false,
    isFirstWords: false,
    beganOver: false,
    outlastedMs: null,
    isHeldBack: false,
    pieces: [],
    pieceStartMs: event.startMs,
    ask: null,
    nextProbeMs: settings.probeSpeechMs,
    lastDecision: null,
    heard: null,
    wordsSoFar: null,
    pause: { ...NO_PAUSE, noticedMs: event.atMs },
    hold: null,
  };
  return commit(state, utterance, wordsOf(state, utterance, event), event.atMs);
}

/** The callee speaks over us, or did. */
function judgeOrSettle(state: TurnState, utterance: Utterance, heard: HeardWords, atMs: number): Step {
  return utterance.isSpeaking ? judgeOver(state, utterance, heard) : settleNow(state, utterance, heard, atMs);
}

function judgeOver(state: TurnState, utterance: Utterance, heard: HeardWords): Step {
  const { phase } = state.at;
  if (phase !== "thinking" && phase !== "speaking") return stay({ ...state, utterance });
  const [next, effects] = judgeWordsSoFar(state, utterance, heard);
  // A request for the words stays open.
  return [next.utterance === null ? next : { ...next, utterance: { ...next.utterance, ask: utterance.ask } }, effects];
}

/** The words at this pause, as far as they are known, instead of those that were requested. */
function settleNow(state: TurnState, utterance: Utterance, heard: HeardWords, atMs: number): Step {
  return chain(
    state,
    (now) => [now, abortEffects(utterance)],
    (now) => settle(now, { ...utterance, ask: null }, heard, atMs),
  );
}

function goesOn(utterance: Utterance, { untilMs }: FollowedWords): boolean {
  return utterance.isSpeaking && utterance.lastSpeechMs > untilMs + GOES_ON_MS;
}

function wordsOf(state: TurnState, utterance: Utterance, event: FollowedWords): HeardWords {
  const { text, words, confidence, language } = event;
  const best = matchExpectedAnswer(text, expectedOf(state, utterance));
  return { text, words, best, confidence, ...(language && { language }) };
}
