import type { TurnSettings } from "../turn-settings.ts";

/**
 * How this callee speaks: the pauses after which they continued, and how often they continued after a complete answer.
 */
export interface CalleePace {
  /** The latest ones, oldest first. */
  readonly pausesMs: readonly number[];
  readonly afterCompleteAnswers: number;
}

export const UNKNOWN_PACE: CalleePace = { pausesMs: [], afterCompleteAnswers: 0 };

const REMEMBERED = 12;
/** With fewer pauses than this nothing is known about a callee. */
const ENOUGH = 3;
/** Pauses that are long for any speaker count sooner. */
const ENOUGH_LONG = 2;
const EXTRA_STEPS_MAX = 3;
/** Above the observed pauses, because the next one may be a little longer. */
const MARGIN = 1.2;
/** Shorter ones are the gaps between words. */
const PAUSE_MIN_MS = 120;

/** The callee continued after a pause. `wasComplete` when what was said could have been all. */
export function learnPause(
  pace: CalleePace,
  pauseMs: number,
  wasComplete: boolean,
  { slowCalleeHoldMaxMs }: TurnSettings,
): CalleePace {
  // After a longer pause the callee starts a new utterance and does not continue the old one.
  if (pauseMs < PAUSE_MIN_MS || pauseMs > slowCalleeHoldMaxMs) return pace;
  return {
    pausesMs: [...pace.pausesMs, pauseMs].slice(-REMEMBERED),
    afterCompleteAnswers: pace.afterCompleteAnswers + (wasComplete ? 1 : 0),
  };
}

/**
 * How long to wait after free speech. Until this callee's pauses are known the text decides: what reads like the end of a
 * sentence gets the shorter wait.
 */
export function freeSpeechHoldMs(pace: CalleePace, endsLikeSentence: boolean, settings: TurnSettings): number {
  const { freeSpeechHoldMinMs: min, freeSpeechHoldMaxMs: max, slowCalleeHoldMaxMs } = settings;
  const longCount = pace.pausesMs.filter((pauseMs) => pauseMs > max).length;
  const limit = longCount >= ENOUGH_LONG ? Math.max(max, slowCalleeHoldMaxMs) : max;
  if (pace.pausesMs.length < ENOUGH && longCount < ENOUGH_LONG) return endsLikeSentence ? min : max;
  return Math.min(limit, Math.max(min, MARGIN * usualLongest(pace.pausesMs)));
}

/** How long to wait after a complete answer: a little longer for callees who keep adding to their answers. */
export function completeAnswerHoldMs(pace: CalleePace, settings: TurnSettings): number {
  const steps = Math.min(EXTRA_STEPS_MAX, Math.max(0, pace.afterCompleteAnswers - 1));
  return settings.completeAnswerHoldMs + steps * settings.completeAnswerExtraMs;
}

/** Longer than four of five of them. */
function usualLongest(pausesMs: readonly number[]): number {
  const sorted = [...pausesMs].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.8))] ?? 0;
}
