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
  /** Sound without words. */
  | "nothing"
  /** Too little was said so far to tell. */
  | "undecided";

export interface Interruption {
  readonly text: string;
  /** How much speech there was without a pause. */
  readonly voicedMs: number;
  /** Whether the callee has paused, so that the last word is whole. */
  readonly isPaused: boolean;
  /** What we said lately; null when the line is known not to echo. */
  readonly ownWords: readonly string[] | null;
  readonly settings: TurnSettings;
}

/** The second stage of a barge-in. The first one, by sound alone, only lowers our voice. */
export function judgeInterruption({ text, voicedMs, isPaused, ownWords, settings }: Interruption): InterruptionVerdict {
  const words = plainWords(text);
  if (words.length === 0) return "nothing";
  if (ownWords !== null && sharesOwnWords(words, ownWords)) return "echo";
  if (beginsWithStopWord(words)) return "interrupts";
  if (isBackChannel(words)) return "back_channel";
  if (isPaused || words.length >= settings.wordsToInterruptCount) return "interrupts";
  // Half a word is easily taken for another: one alone needs more speech behind it.
  return voicedMs >= settings.oneWordSpeechMs ? "interrupts" : "undecided";
}
