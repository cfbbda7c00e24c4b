import type { ReplyStageName } from "@parley/contract/transcripts";
import type { CalleeTurn } from "../../ports/brain.ts";
import type { ExpectedAnswerScore, RecognizedWord } from "../../ports/speech-recognizer.ts";
import type { InterruptionDecision } from "../interruptions/barge-in.ts";
import { joinTexts } from "../replies/heard-text.ts";
import { isBackChannel, lowerCaseWords } from "./spoken-phrases.ts";

/** What the callee says in one turn, pauses included, as far as it is known. */
export interface Utterance {
  readonly startMs: number;
  readonly lastSpeechMs: number;
  /** Speech in all, and since the last pause; over our voice, since the last that was longer than a gap between words. */
  readonly voicedMs: number;
  readonly stretchMs: number;
  readonly peakProbability: number;
  /** Its loudest window since the last pause, and in all of the audio that recognition works on now. */
  readonly peakDbfs: number;
  readonly piecePeakDbfs: number;
  /** Its newest window, also in a pause. */
  readonly newestDbfs: number;
  /** False in a pause. */
  readonly isSpeaking: boolean;
  /** Said on answering the phone: it is not an interruption. */
  readonly isFirstWords: boolean;
  /** It began while we were heard. */
  readonly beganOver: boolean;
  /** When we finished while it was being said. */
  readonly outlastedMs: number | null;
  /** It waits for us to finish a sentence that may not be interrupted. */
  readonly isHeldBack: boolean;
  /** What was said before, recognized separately: parts of long speech, and of a turn that was taken back. */
  readonly pieces: readonly UtterancePiece[];
  /** Where the audio begins that recognition works on now. */
  readonly pieceStartMs: number;
  readonly ask: Ask | null;
  /** How much speech without a pause there must be before its words are checked again, and what they were last time. */
  readonly nextProbeMs: number;
  readonly lastDecision: InterruptionDecision | null;
  /** What was recognized at this pause. */
  readonly heard: HeardWords | null;
  /** What a recognizer that follows the whole call has reported of it: used if it does not finish in time. */
  readonly wordsSoFar: HeardWords | null;
  readonly pause: PauseTimes;
  readonly hold: HoldTaken | null;
}

/** When this pause was noticed and its words were known, and how long the recognizer worked on them; null if unknown. */
export interface PauseTimes {
  readonly noticedMs: number | null;
  readonly heardMs: number | null;
  readonly workMs: number | null;
}

export const NO_PAUSE: PauseTimes = { noticedMs: null, heardMs: null, workMs: null };

export interface UtterancePiece {
  /** The pending recognition request for its text. */
  readonly askId: number | null;
  readonly startMs: number;
  readonly text: string;
  readonly words: readonly RecognizedWord[];
  /** Set if it was a turn of its own, which was answered and taken back. */
  readonly answer: TakenBackAnswer | null;
}

interface TakenBackAnswer {
  readonly best: ExpectedAnswerScore | null;
  /** It could have been all. */
  readonly wasComplete: boolean;
}

interface Ask {
  readonly askId: number;
  readonly isGuess: boolean;
  readonly isRetry: boolean;
  /** How much speech without a pause there was when it was asked. */
  readonly speechMs: number;
}

export interface HeardWords {
  /** Exactly what was recognized. */
  readonly text: string;
  /** What people say over others, if that fits the audio well: it decides who has the floor, and is nowhere written down. */
  readonly meant?: string;
  readonly words: readonly RecognizedWord[];
  readonly best: ExpectedAnswerScore | null;
  readonly confidence: number | null;
  readonly language?: string;
  /** It is empty because recognition failed. */
  readonly wasMissed?: true;
  /** More words may be on their way: the turn is not taken before they are known. */
  readonly isProvisional?: true;
}

export const NO_WORDS: HeardWords = { text: "", words: [], best: null, confidence: null };

interface HoldTaken {
  readonly dueMs: number;
  readonly holdMs: number;
  /** When it was decided: what was said was known, and the callee had the floor. */
  readonly decidedMs: number;
  /** When it is over: later than `dueMs` if the callee may have been about to continue. */
  readonly untilMs: number;
  readonly wasComplete: boolean;
}

/** A stage of a reply until its end, where the next one begins. */
export interface StageEnd {
  readonly stage: ReplyStageName;
  readonly endMs: number;
}

/** The callee's turn that a reply answers, and where the time went until it was taken. */
export interface AnsweredTurn {
  readonly turn: CalleeTurn;
  readonly words: readonly RecognizedWord[];
  readonly startMs: number;
  readonly lastSpeechMs: number;
  readonly holdMs: number;
  readonly recognitionMs: number;
  readonly takenMs: number;
  /** The stages until then, with their ends. */
  readonly stages: readonly StageEnd[];
  /** What was said could have been all. */
  readonly wasComplete: boolean;
}

/** Everything said, without what is still being recognized. */
export function textOf(utterance: Utterance): string {
  const { pieces, heard } = utterance;
  const last = answerThatStands(utterance) === null ? (heard?.text ?? "") : "";
  return joinTexts([...pieces.map((piece) => piece.text), last]);
}

/** The same, with what was probably meant by the last words instead of what was recognized. */
export function meantBy(utterance: Utterance): string {
  const { heard } = utterance;
  return heard?.meant === undefined
    ? textOf(utterance)
    : textOf({ ...utterance, heard: { ...heard, text: heard.meant } });
}

/**
 * The words of all that was said. Recognition is given some silence before and after the speech, and may place words in
 * it: those are moved to where the callee spoke.
 */
export function wordsOfUtterance(utterance: Utterance): readonly RecognizedWord[] {
  const { pieces, heard, pieceStartMs, lastSpeechMs } = utterance;
  const last = answerThatStands(utterance) === null ? (heard?.words ?? []) : [];
  const before = pieces.flatMap((piece) => piece.words);
  let earliestMs = startOf(utterance);
  return [...before, ...fitWords(last, Math.min(pieceStartMs, lastSpeechMs), lastSpeechMs)].map((word) => {
    const startMs = Math.min(Math.max(word.startMs, earliestMs), lastSpeechMs);
    earliestMs = startMs;
    return { ...word, startMs, endMs: Math.min(Math.max(word.endMs, startMs), lastSpeechMs) };
  });
}

/** Squeezes words into a stretch of time if they exceed it, and otherwise leaves them unchanged. */
function fitWords(words: readonly RecognizedWord[], fromMs: number, untilMs: number): readonly RecognizedWord[] {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined || (first.startMs >= fromMs && last.endMs <= untilMs)) return words;
  const [start, end] = [Math.max(first.startMs, fromMs), Math.min(last.endMs, untilMs)];
  const scale = Math.max(0, end - start) / Math.max(1, last.endMs - first.startMs);
  const fit = (ms: number) => Math.round(start + (ms - first.startMs) * scale);
  return words.map((word) => ({ ...word, startMs: fit(word.startMs), endMs: fit(word.endMs) }));
}

/** When the callee started to say what `textOf` returns, including a turn that was taken back. */
export function startOf({ pieces, startMs }: Utterance): number {
  return Math.min(startMs, ...pieces.map((piece) => piece.startMs));
}

/** The expected answer that recognition matched: only when it heard the turn as a whole. */
export function bestOf(utterance: Utterance): ExpectedAnswerScore | null {
  const { pieces, heard } = utterance;
  return pieces.length === 0 ? (heard?.best ?? null) : (answerThatStands(utterance)?.best ?? null);
}

/**
 * The answer that was withdrawn because of a noise that turned out to be nothing: a cough, or the hum of a callee who has answered and
 * listens. It is restored with its interpretation.
 */
function answerThatStands({ pieces, heard }: Utterance): TakenBackAnswer | null {
  const [piece] = pieces;
  if (heard === null || pieces.length !== 1 || piece === undefined || piece.answer === null) return null;
  const words = lowerCaseWords(heard.meant ?? heard.text);
  const isNothing = words.length === 0 || (piece.answer.wasComplete && isBackChannel(words));
  return isNothing ? piece.answer : null;
}

/** What continues for longer than this after we have finished is meant for us. */
const OUTLAST_MS = 700;

/**
 * Whether it may be feedback of a listener. What began over our voice and lasted into the callee's turn was not: in a noisy
 * room the noise is what began, and the answer followed.
 */
export function isSaidOverUs({ beganOver, outlastedMs, lastSpeechMs }: Utterance): boolean {
  return beganOver && (outlastedMs === null || lastSpeechMs - outlastedMs <= OUTLAST_MS);
}

/** Whether it continues an answer that was taken back. */
export function followsAnswer({ pieces }: Utterance): boolean {
  return pieces.length === 1 && pieces[0]?.answer !== null;
}

/** Whether it is known what was said before this pause. */
export function isRecognized({ pieces, heard }: Utterance): boolean {
  return heard !== null && pieces.every(({ askId }) => askId === null);
}

/** What was said in a turn that continues now. */
export function piecesOf(answered: AnsweredTurn | null): readonly UtterancePiece[] {
  if (answered?.turn.type !== "said") return [];
  const { turn, words, startMs, wasComplete } = answered;
  return [{ askId: null, startMs, text: turn.text, words, answer: { best: turn.best, wasComplete } }];
}
