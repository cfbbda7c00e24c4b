import type { CalleeTurn } from "../ports/brain.ts";
import type { ExpectedAnswerScore } from "../ports/speech-recognizer.ts";
import { findYesNo } from "../text/values-in-speech/find-yes-no.ts";
import { sharesOwnWords } from "./echo/echo-guard.ts";
import { isCompleteAnswer, judgeHold } from "./hearing/endpointing.ts";
import { aboveMusicDb, type MusicWatch, NO_MUSIC } from "./hearing/hold-music.ts";
import { isNearVoice } from "./hearing/near-voice.ts";
import { askWhatWasSaid, closeUtterance } from "./hearing/open-utterance.ts";
import { HELLO_ANSWERS, isBackChannel, isHoldRequest, lowerCaseWords } from "./hearing/spoken-phrases.ts";
import {
  type AnsweredTurn,
  bestOf,
  followsAnswer,
  type HeardWords,
  isRecognized,
  isSaidOverUs,
  meantBy,
  NO_WORDS,
  startOf,
  textOf,
  type Utterance,
  wordsOfUtterance,
} from "./hearing/utterance.ts";
import { noteTurnTaken } from "./own-failures.ts";
import { isSameTurn, prepareReply, withdrawPrepared } from "./replies/prepare-reply.ts";
import { stagesOfTurn } from "./replies/reply-stages.ts";
import { commitPrepared, continueReply, startReply } from "./replies/start-reply.ts";
import { armSilence, isAskedToWait, NOT_SILENT } from "./silence.ts";
import { cancelTimers, chain, type Step, setTimer, stay } from "./step.ts";
import type { PreparedReply, TurnState } from "./turn-state.ts";

/** After so many false interruptions in a row, the callee is asked instead. */
const CONTINUATIONS_MAX = 3;
/** A callee who has heard us stop is not kept waiting longer for words that may follow a complete answer. */
const HOLD_AFTER_CUT_MAX_MS = 1_000;
/**
 * A single word over music may be a note of it, so it is asked about: this often until someone is understood, and less
 * often if no one has been understood before.
 */
const ASKED_OVER_MUSIC_MAX = { person: 2, unknown: 1 } as const;
/** Music that is so much quieter than the voice plays in the callee's room. */
const BACKGROUND_MUSIC_DB = 15;

/**
 * Once it is known what was said before a pause, decides how long the callee may still continue. `finish` runs when the
 * time is over, which may be now.
 */
export function considerHold(state: TurnState, atMs: number, finish: (state: TurnState) => Step): Step {
  const { utterance, settings } = state;
  if (utterance === null || utterance.isSpeaking || !isRecognized(utterance)) return stay(state);
  const expectation = utterance.isFirstWords
    ? ({ kind: "choice", answers: HELLO_ANSWERS, length: null } as const)
    : state.expectation;
  const judged = judgeHold({
    text: textOf(utterance),
    best: bestOf(utterance),
    expectation,
    pace: state.pace,
    settings,
  });
  const { because } = judged;
  const goesOn = because === "unfinished" || because === "missing_digits";
  const holdMs = state.cut === null || goesOn ? judged.holdMs : Math.min(judged.holdMs, HOLD_AFTER_CUT_MAX_MS);
  const dueMs = utterance.lastSpeechMs + holdMs;
  const hold = { dueMs, holdMs, decidedMs: atMs, untilMs: dueMs, wasComplete: because === "complete_answer" };
  const waiting = { ...state, utterance: { ...utterance, hold } };
  return chain(
    waiting,
    (now) => cancelTimers(now, "recognition"),
    (now) => (dueMs <= atMs ? finish(now) : setTimer(now, "hold", dueMs)),
  );
}

/** The callee's turn is over: what was said is answered, unless it needs no answer. */
export function takeTurn(state: TurnState, atMs: number): Step {
  const { utterance } = state;
  if (utterance === null) return stay(state);
  if (utterance.heard?.isProvisional) return awaitLastWords(state, utterance, utterance.heard, atMs);
  const words = lowerCaseWords(textOf(utterance));
  const meant = lowerCaseWords(meantBy(utterance));
  const overMusic = judgeOverMusic(state, utterance, words);
  const isIdle = needsNoAnswer(state, utterance, meant);
  if (overMusic === "music" || (overMusic === "doubtful" && isIdle)) return takeWithoutMusic(state, utterance, atMs);
  if (isOurEcho(state, utterance, words)) return ignoreUtterance(state, withoutWords(utterance), atMs);
  if (words.length === 0) {
    const isLong = utterance.voicedMs >= state.settings.unclearSpeechMs;
    // A callee who asked us to wait is talking to another person, or there is music.
    const isForUs = isLong && !utterance.isFirstWords && !isAskedToWait(state, atMs);
    return isForUs && state.cut === null
      ? answerUtterance(state, utterance, { type: "unclear" }, atMs)
      : ignoreUtterance(state, utterance, atMs);
  }
  if (isIdle) return ignoreUtterance(state, utterance, atMs);
  if (overMusic === "doubtful") {
    const asked = { ...state, askedOverMusic: [...state.askedOverMusic, ...words] };
    return answerUtterance(asked, withoutWords(utterance), { type: "unclear" }, atMs);
  }
  if (isHoldRequest(meant) && !isExpected(state, utterance, words)) return waitOnRequest(state, utterance, atMs);
  return answerUtterance(state, utterance, saidTurn(state, utterance), atMs);
}

/** The last words were the music. What was said before them in the same turn still counts. */
function takeWithoutMusic(state: TurnState, utterance: Utterance, atMs: number): Step {
  const before: Utterance = { ...utterance, heard: NO_WORDS };
  return textOf(before) === ""
    ? ignoreUtterance(state, before, atMs)
    : answerUtterance(state, before, saidTurn(state, before), atMs);
}

/**
 * Nothing follows from it. But a callee who has heard us stop is not left in silence: the reply that was cut off continues, or the
 * callee is asked if that happened too often or we failed to hear the words.
 */
function ignoreUtterance(state: TurnState, utterance: Utterance, atMs: number): Step {
  // Keys are taken when no more follow.
  if (state.cut === null || state.keys !== "") {
    return chain(
      state,
      (now) => noteCalleeSaid(now, utterance),
      (now) => forgetUtterance(now, atMs),
    );
  }
  if (!mayContinue(state, utterance)) return answerUtterance(state, utterance, { type: "unclear" }, atMs);
  return chain(
    state,
    (now) => noteCalleeSaid(now, utterance),
    closeUtterance,
    (now) => continueReply(now, textOf(utterance), atMs),
  );
}

function withoutWords(utterance: Utterance): Utterance {
  return { ...utterance, pieces: [], heard: NO_WORDS };
}

/**
 * The turn would be over by our silence limits, but the recognizer has not said that it knows all words. It is asked to
 * finish, and if it does not in time, what is known is answered.
 */
function awaitLastWords(state: TurnState, utterance: Utterance, wordsSoFar: HeardWords, atMs: number): Step {
  return chain(
    state,
    (now) => cancelTimers(now, "hold"),
    (now) => askWhatWasSaid(now, { ...utterance, wordsSoFar }, { isGuess: false }),
    (now) => {
      const { recognitionUrgentMs, recognitionMaxMs } = now.settings;
      // Without a word there is nothing to answer, and another recognizer may be taking over.
      const limitMs = wordsSoFar.text === "" ? recognitionMaxMs : recognitionUrgentMs;
      return setTimer(now, "recognition", atMs + limitMs);
    },
  );
}

/** The turn has probably ended: if it would be answered, the reply is prepared. */
export function prepareForTurn(state: TurnState, utterance: Utterance): Step {
  const text = textOf(utterance);
  const words = lowerCaseWords(text);
  const meant = lowerCaseWords(meantBy(utterance));
  const isAnswered =
    words.length > 0 &&
    judgeOverMusic(state, utterance, words) === "voice" &&
    !isOurEcho(state, utterance, words) &&
    !needsNoAnswer(state, utterance, meant) &&
    (!isHoldRequest(meant) || isExpected(state, utterance, words));
  if (!isAnswered) return withdrawPrepared(state);
  return prepareReply(state, saidTurn(state, utterance));
}

function saidTurn(state: TurnState, utterance: Utterance): CalleeTurn {
  const { language } = utterance.heard ?? {};
  const best = bestAnswerOf(state, utterance);
  return { type: "said", text: textOf(utterance), best, ...(language && { language }) };
}

export function noteCalleeSaid(state: TurnState, utterance: Utterance, turnId: number = state.turnId): Step {
  const text = textOf(utterance);
  if (text === "") return stay(state);
  const { lastSpeechMs: endMs } = utterance;
  const words = wordsOfUtterance(utterance);
  const { confidence = null, language } = utterance.heard ?? {};
  const entry = {
    type: "callee_said",
    turnId,
    text,
    startMs: startOf(utterance),
    endMs,
    words,
    ...(utterance.pieces.length === 0 && confidence !== null && { confidence }),
    ...(language && { language }),
  } as const;
  return [state, [{ type: "journal.note", entry }]];
}

/** It was nothing: the floor is unchanged, and the silence continues where it was interrupted. */
export function forgetUtterance(state: TurnState, atMs: number): Step {
  return chain(state, closeUtterance, (now) => armSilence(now, atMs));
}

function answerUtterance(state: TurnState, utterance: Utterance, turn: CalleeTurn, atMs: number): Step {
  const answered: AnsweredTurn = {
    turn,
    words: wordsOfUtterance(utterance),
    startMs: startOf(utterance),
    lastSpeechMs: utterance.lastSpeechMs,
    holdMs: utterance.hold?.holdMs ?? atMs - utterance.lastSpeechMs,
    recognitionMs: recognitionMsOf(utterance),
    takenMs: atMs,
    stages: stagesOfTurn(utterance, atMs),
    wasComplete: utterance.hold?.wasComplete ?? false,
  };
  const ready = state.prepared !== null && isSameTurn(state.prepared.turn, turn) ? state.prepared : null;
  return chain(
    state,
    (now) => (ready === null ? withdrawPrepared(now) : stay({ ...now, prepared: null })),
    (now) => answer(now, utterance, answered, ready, atMs),
  );
}

function answer(
  state: TurnState,
  utterance: Utterance,
  answered: AnsweredTurn,
  ready: PreparedReply | null,
  atMs: number,
): Step {
  const { turn } = answered;
  return chain(
    {
      ...noteTurnTaken(state, turn, utterance.heard?.wasMissed === true),
      silence: NOT_SILENT,
      // A person is there: what plays in the background is not hold music until no one has spoken for long again.
      music: turn.type === "said" ? NO_MUSIC : state.music,
      askedOverMusic: turn.type === "said" ? [] : state.askedOverMusic,
      continuations: turn.type === "said" ? 0 : state.continuations,
    },
    (now) => noteCalleeSaid(now, utterance, ready?.turnId ?? now.turnId + 1),
    closeUtterance,
    (now) => (ready === null ? startReply(now, answered, atMs) : commitPrepared(now, ready, answered, atMs)),
  );
}

/** Recognition that was not hidden behind the hold. */
function recognitionMsOf({ hold, pause }: Utterance): number {
  return hold === null ? 0 : Math.max(0, (pause.heardMs ?? hold.decidedMs) - hold.dueMs);
}

/** "One moment please": we wait and say nothing, for longer than we would wait in silence. */
function waitOnRequest(state: TurnState, utterance: Utterance, atMs: number): Step {
  const silence = { sinceMs: atMs + state.settings.holdRequestMs, prompts: 0 };
  const turn = { type: "said", text: textOf(utterance), best: null } as const;
  return chain(
    { ...noteTurnTaken(state, turn, false), silence, cut: null },
    (now) => noteCalleeSaid(now, utterance),
    (now) => forgetUtterance(now, atMs),
  );
}

/**
 * Only for what was asked: first words that continue were compared with what people say on picking up. Over music an
 * answer must be in the words themselves, because something in it always sounds a little like one.
 */
function bestAnswerOf({ expectation, music }: TurnState, utterance: Utterance): ExpectedAnswerScore | null {
  const best = isOverMusic(music, utterance) && !followsAnswer(utterance) ? null : bestOf(utterance);
  return best !== null && expectation.answers.includes(best.answer) ? best : null;
}

function isExpected(state: TurnState, utterance: Utterance, words: readonly string[]): boolean {
  return isCompleteAnswer(words, bestOf(utterance), state.expectation.answers, state.settings);
}

/** A greeting or listening feedback after which the floor returned. */
function needsNoAnswer(state: TurnState, utterance: Utterance, words: readonly string[]): boolean {
  if (utterance.isFirstWords) return true;
  return isSaidOverUs(utterance) && isBackChannel(words) && !isExpected(state, utterance, words);
}

/** Whether it was a false interruption. Speech that we failed to hear was not, and a reply that was taken back is gone. */
function mayContinue({ cut, continuations }: TurnState, { heard }: Utterance): boolean {
  return cut === "interrupted" && heard?.wasMissed !== true && continuations < CONTINUATIONS_MAX;
}

/**
 * Whether it is a voice, the music, or a single word that may be either. Such a word is believed when it is said again
 * after the callee was asked.
 */
function judgeOverMusic(
  state: TurnState,
  utterance: Utterance,
  words: readonly string[],
): "voice" | "doubtful" | "music" {
  const { music, settings, askedOverMusic, ours } = state;
  if (aboveMusicDb(music, utterance.piecePeakDbfs) < settings.overMusicDb) return "music";
  const [word] = words;
  if (!isOverMusic(music, utterance) || word === undefined || words.length > 1) return "voice";
  if (askedOverMusic.some((each) => meansTheSame(each, word))) return "voice";
  if (!isNearVoice(state.voice, utterance.piecePeakDbfs, settings)) return "music";
  const askedMax = ASKED_OVER_MUSIC_MAX[ours.understoodTurns > 0 ? "person" : "unknown"];
  return askedOverMusic.length < askedMax ? "doubtful" : "music";
}

/** "Yes" and "yeah" are the same answer, said again. */
function meansTheSame(one: string, other: string): boolean {
  const meant = findYesNo(one)?.value;
  return one === other || (meant !== undefined && findYesNo(other)?.value === meant);
}

/** Whether the audio may be part of the music. Music far behind the voice is only a person's background. */
function isOverMusic(music: MusicWatch, { piecePeakDbfs }: Utterance): boolean {
  return aboveMusicDb(music, piecePeakDbfs) < BACKGROUND_MUSIC_DB;
}

function isOurEcho({ lineEchoes, ownWords }: TurnState, utterance: Utterance, words: readonly string[]): boolean {
  return utterance.beganOver && lineEchoes !== false && sharesOwnWords(words, ownWords);
}
