import { sharesOwnWords } from "./echo-guard.ts";
import { beginsWithStopWord, isBackChannel, plainWords } from "./spoken-phrases.ts";
import type { TurnSettings } from "./turn-settings.ts";

/** What words that were said while we speak mean for us. */
export type InterruptionVerdict =
  /** The callee takes the floor. */
  | "interrupts"
  /** "mhm": the callee listens. */
  | "back_channel"
  /** Our own words, coming back. */
  | "echo"
  /** No words at all, or such as recognition itself hardly believes in. */
  | "doubtful"
  /** Words, but too few or not sure enough. */
  | "undecided";

export interface Interruption {
  readonly text: string;
  /** How sure recognition is of it; null when it does not say. */
  readonly confidence: number | null;
  /** How long the callee has spoken without a pause. */
  readonly speechMs: number;
  /** Whether the callee has paused, so that the last word is whole. */
  readonly isPaused: boolean;
  /** What we said lately; null when the line is known not to echo. */
  readonly ownWords: readonly string[] | null;
  readonly settings: TurnSettings;
}

/** The second stage of a barge-in, by words. The first one, by sound alone, only lowers our voice. */
export function judgeInterruption(interruption: Interruption): InterruptionVerdict {
  const { text, speechMs, isPaused, ownWords, settings } = interruption;
  const confidence = interruption.confidence ?? 1;
  const words = plainWords(text);
  if (words.length === 0) return "doubtful";
  if (ownWords !== null && sharesOwnWords(words, ownWords)) return "echo";
  if (isBackChannel(words)) return "back_channel";
  if (beginsWithStopWord(words) && confidence >= settings.stopWordConfidenceMin) return "interrupts";
  const isSure = isPaused
    ? confidence >= settings.interruptConfidenceMin || speechMs >= settings.talkOverMs
    : confidence >= settings.probeConfidenceMin && speechMs >= settings.probeInterruptMs;
  if (isSure) return "interrupts";
  return confidence < settings.doubtfulConfidenceMax ? "doubtful" : "undecided";
}

/** How long speech over us must go on to interrupt by itself, after what its words were taken for; null for never. */
export function talkOverLimitMs(lastVerdict: InterruptionVerdict | null, settings: TurnSettings): number | null {
  if (lastVerdict === "echo") return null;
  const isListening = lastVerdict === "back_channel" || lastVerdict === "doubtful";
  return isListening ? settings.doubtfulTalkOverMs : settings.talkOverMs;
}
