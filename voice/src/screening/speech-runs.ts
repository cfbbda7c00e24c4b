import type { ScreeningSettings } from "./screening-settings.ts";

/** Speech whose pauses are short. */
export interface SpeechRun {
  readonly startMs: number;
  /** Where it ended, as far as known; during speech, where it last continued. */
  readonly endMs: number;
}

/** What was said so far, as a sequence of runs: the last of them may still continue. */
export interface SpeechRuns {
  readonly runs: readonly SpeechRun[];
  readonly isSpeaking: boolean;
}

export const NOTHING_SAID: SpeechRuns = { runs: [], isSpeaking: false };

/** The first, which is the greeting, and the last one matter. */
const RUNS_MAX = 50;

export function startSpeech(
  speech: SpeechRuns,
  startMs: number,
  { runPauseMs, runMinMs }: ScreeningSettings,
): SpeechRuns {
  const last = speech.runs.at(-1);
  if (last !== undefined && startMs - last.endMs < runPauseMs) return { ...speech, isSpeaking: true };
  // A noise that was too short for a word is dropped once something else begins.
  const kept = last !== undefined && last.endMs - last.startMs < runMinMs ? speech.runs.slice(0, -1) : speech.runs;
  return { runs: [...kept.slice(0, RUNS_MAX - 1), { startMs, endMs: startMs }], isSpeaking: true };
}

export function endSpeech(speech: SpeechRuns, endMs: number): SpeechRuns {
  const last = speech.runs.at(-1);
  if (last === undefined) return speech;
  return { runs: [...speech.runs.slice(0, -1), { ...last, endMs: Math.max(last.endMs, endMs) }], isSpeaking: false };
}

/** How long the last run is by now. */
export function runLengthMs({ runs, isSpeaking }: SpeechRuns, nowMs: number): number {
  const last = runs.at(-1);
  if (last === undefined) return 0;
  return (isSpeaking ? Math.max(nowMs, last.endMs) : last.endMs) - last.startMs;
}

/** The duration of the current silence. Infinite if there was no speech yet. */
export function quietMs({ runs, isSpeaking }: SpeechRuns, nowMs: number): number {
  if (isSpeaking) return 0;
  const last = runs.at(-1);
  return last === undefined ? Number.POSITIVE_INFINITY : nowMs - last.endMs;
}
