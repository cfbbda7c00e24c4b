import { cancelTimers, chain, type Step, setTimer, stay } from "./step.ts";
import type { TurnState } from "./turn-state.ts";

/** After a prompt the callee gets at least this long to answer, however long the prompt was. */
const AFTER_PROMPT_MIN_MS = 3_000;

/** Starts to count the callee's silence if neither side speaks: one prompt, then the end of the call. */
export function armSilence(state: TurnState, atMs: number): Step {
  if (state.at.phase !== "listening" || state.utterance !== null) return stay(state);
  if (state.music.isOn) return armMusic(state, atMs);
  const sinceMs = state.silence.sinceMs ?? atMs;
  const { silencePromptMs, silencePromptsCount, silenceLimitMs } = state.settings;
  const limitMs = Math.max(sinceMs + silenceLimitMs, atMs + AFTER_PROMPT_MIN_MS);
  return chain(
    { ...state, silence: { ...state.silence, sinceMs } },
    (now) => setTimer(now, "silence_limit", limitMs),
    (now) => {
      const mayPrompt = now.silence.prompts < silencePromptsCount;
      // Each further prompt comes as long after the last as the first did after the beginning of the silence.
      const promptMs = sinceMs + (now.silence.prompts + 1) * silencePromptMs;
      return mayPrompt ? setTimer(now, "silence", Math.max(promptMs, atMs)) : stay(now);
    },
  );
}

/**
 * Someone on hold is asked once whether they are back, and not waited for forever, counted from when the music was
 * first heard in our silence.
 */
export function armMusic(state: TurnState, atMs: number): Step {
  if (state.at.phase !== "listening" || state.timers.music !== undefined) return stay(state);
  const { musicMaxMs, musicPromptMs } = state.settings;
  const sinceMs = state.silence.sinceMs ?? atMs;
  const mayPrompt = state.silence.prompts === 0;
  return chain(
    { ...state, silence: { ...state.silence, sinceMs } },
    (now) => cancelTimers(now, "silence", "silence_limit"),
    (now) => setTimer(now, "music", Math.max(sinceMs + musicMaxMs, atMs + AFTER_PROMPT_MIN_MS)),
    (now) => (mayPrompt ? setTimer(now, "silence", Math.max(sinceMs + musicPromptMs, atMs)) : stay(now)),
  );
}

/** Whether the callee asked us to wait, and still may keep us waiting. */
export function isAskedToWait({ silence }: TurnState, atMs: number): boolean {
  return silence.sinceMs !== null && silence.sinceMs > atMs;
}

/** The callee spoke or pressed a key. */
export const NOT_SILENT = { sinceMs: null, prompts: 0 } as const;
