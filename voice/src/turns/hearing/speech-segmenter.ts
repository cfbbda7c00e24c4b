import type { TurnSettings } from "../turn-settings.ts";

/** One classified window. Times are positions of the leg. */
export interface JudgedWindow {
  readonly endMs: number;
  readonly durationMs: number;
  /** The probability of speech in it, from 0 to 1. */
  readonly probability: number;
}

/**
 * - quiet: no speech, though a run may have started that is still too short to count.
 * - speaking: since `startMs`; the last window that was speech ended at `lastSpeechMs`.
 */
export type SpeechState =
  | { readonly phase: "quiet"; readonly runMs: number }
  | { readonly phase: "speaking"; readonly startMs: number; readonly lastSpeechMs: number };

export type SpeechSign =
  | { readonly type: "started"; readonly startMs: number }
  /** Continues. `isVoiced` is false in the gaps between words. */
  | { readonly type: "speaking"; readonly isVoiced: boolean }
  /** Silent for the length of a pause. */
  | { readonly type: "paused" };

export const QUIET: SpeechState = { phase: "quiet", runMs: 0 };

/**
 * Finds where speech starts and pauses. Starting requires a run of likely windows and continuing requires less: a click
 * does not start speech, and a soft syllable does not end it.
 */
export function segmentSpeech(
  state: SpeechState,
  window: JudgedWindow,
  settings: TurnSettings,
): readonly [SpeechState, SpeechSign | null] {
  const { endMs, durationMs, probability } = window;
  if (state.phase === "quiet") {
    if (probability < settings.speechStartProbability) return [QUIET, null];
    const runMs = state.runMs + durationMs;
    if (runMs < settings.speechStartMs) return [{ phase: "quiet", runMs }, null];
    const startMs = endMs - runMs;
    return [
      { phase: "speaking", startMs, lastSpeechMs: endMs },
      { type: "started", startMs },
    ];
  }
  if (probability >= settings.speechKeepProbability) {
    return [
      { ...state, lastSpeechMs: endMs },
      { type: "speaking", isVoiced: true },
    ];
  }
  if (endMs - state.lastSpeechMs >= settings.guessSilenceMs) return [QUIET, { type: "paused" }];
  return [state, { type: "speaking", isVoiced: false }];
}
