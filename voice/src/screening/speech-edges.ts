import type { ScreenedWindow } from "../ports/call-screening.ts";
import type { ScreeningSettings } from "./screening-settings.ts";

/**
 * - quiet: no speech, though a run may have started that is still too short to count.
 * - speaking: the last window that was speech ended at `lastSpeechMs`.
 */
export type EdgeState =
  | { readonly phase: "quiet"; readonly stretchMs: number }
  | { readonly phase: "speaking"; readonly lastSpeechMs: number };

export type SpeechEdge =
  | { readonly type: "speech.started"; readonly startMs: number }
  | { readonly type: "speech.ended"; readonly endMs: number };

export const NO_SPEECH: EdgeState = { phase: "quiet", stretchMs: 0 };

/** Finds where speech begins and ends in a sequence of windows. */
export function findSpeechEdge(
  state: EdgeState,
  { endMs, durationMs, isSpeech }: ScreenedWindow,
  { speechStartMs, speechEndMs }: ScreeningSettings,
): readonly [EdgeState, SpeechEdge | null] {
  if (state.phase === "quiet") {
    if (!isSpeech) return [NO_SPEECH, null];
    const stretchMs = state.stretchMs + durationMs;
    if (stretchMs < speechStartMs) return [{ phase: "quiet", stretchMs }, null];
    return [
      { phase: "speaking", lastSpeechMs: endMs },
      { type: "speech.started", startMs: endMs - stretchMs },
    ];
  }
  if (isSpeech) return [{ phase: "speaking", lastSpeechMs: endMs }, null];
  if (endMs - state.lastSpeechMs < speechEndMs) return [state, null];
  return [NO_SPEECH, { type: "speech.ended", endMs: state.lastSpeechMs }];
}
