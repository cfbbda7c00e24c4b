import { sharesOwnWords } from "../echo/echo-guard.ts";
import { beginsWithStopWord, isBackChannel, lowerCaseWords, mayBecomeBackChannel } from "../hearing/spoken-phrases.ts";
import type { TurnSettings } from "../turn-settings.ts";

/** What words said while we speak mean for us. */
export type InterruptionDecision =
  /** The callee takes the floor. */
  | "interrupts"
  /** "mhm": the callee listens. */
  | "back_channel"
  /** Our own words, coming back. */
  | "echo"
  /** No words at all, or words of very low confidence. */
  | "doubtful"
  /** Words, but too few or not certain enough. */
  | "undecided";

export interface Interruption {
  readonly text: string;
  /** The confidence of recognition; null if unknown. */
  readonly confidence: number | null;
  /** How long the callee had spoken without a pause when recognition was asked. */
  readonly speechMs: number;
  /** Whether the callee has paused, so that the last word is whole. */
  readonly isPaused: boolean;
  /** What we said recently; null when the line is known not to echo. */
  readonly ownWords: readonly string[] | null;
  readonly settings: TurnSettings;
}

/** The second stage of a barge-in, by words. The first one, by audio alone, only lowers our voice. */
export function judgeInterruption(interruption: Interruption): InterruptionDecision {
  const { text, speechMs, isPaused, ownWords, settings } = interruption;
  const confidence = interruption.confidence ?? 1;
  const words = lowerCaseWords(text);
  if (words.length === 0) return "doubtful";
  if (ownWords !== null && sharesOwnWords(words, ownWords)) return "echo";
  if (isBackChannel(words)) return "back_channel";
  if (beginsWithStopWord(words) && confidence >= settings.stopWordConfidenceMin) return "interrupts";
  const isDoubtful = confidence < settings.doubtfulConfidenceMax;
  if (isPaused) {
    const longMs = isDoubtful ? settings.doubtfulTalkOverMs : settings.talkOverMs;
    if (confidence >= settings.interruptConfidenceMin || speechMs >= longMs) return "interrupts";
    return isDoubtful ? "doubtful" : "undecided";
  }
  if (mayBecomeBackChannel(words)) return "undecided";
  if (confidence >= settings.probeConfidenceMin && speechMs >= settings.probeInterruptMs) return "interrupts";
  // A hum becomes one word, over and over. Half a sentence becomes several, of which the last is rarely right.
  return isDoubtful && new Set(words).size < 2 ? "doubtful" : "undecided";
}

/**
 * How long speech over us must last to interrupt regardless of its words, by what they were recognized as; null for
 * never.
 */
export function talkOverLimitMs(lastDecision: InterruptionDecision | null, settings: TurnSettings): number | null {
  if (lastDecision === "echo") return null;
  const isListening = lastDecision === "back_channel" || lastDecision === "doubtful";
  return isListening ? settings.doubtfulTalkOverMs : settings.talkOverMs;
}
