import {
  type JudgedWindow,
  QUIET,
  type SpeechState,
  segmentSpeech,
} from "@parley/voice/turns/hearing/speech-segmenter";
import { USUAL_TURN_SETTINGS as SETTINGS } from "@parley/voice/turns/turn-settings";

/** A stretch of speech without a long pause. */
export interface Utterance {
  readonly startMs: number;
  readonly endMs: number;
}

/** Recognition gets no more than this at once. */
const UTTERANCE_MAX_MS = 15_000;

/** Cuts what speech detection found into utterances, at pauses as long as those after which a turn is over. */
export function findUtterances(windows: readonly JudgedWindow[]): readonly Utterance[] {
  const found: Utterance[] = [];
  let state: SpeechState = QUIET;
  for (const window of windows) {
    const [next] = segmentSpeech(state, window, SETTINGS);
    state = next;
    if (state.phase !== "speaking") continue;
    const last = found.at(-1);
    const goesOn =
      last !== undefined &&
      state.startMs - last.endMs < SETTINGS.freeSpeechHoldMaxMs &&
      state.lastSpeechMs - last.startMs <= UTTERANCE_MAX_MS;
    if (goesOn) found[found.length - 1] = { startMs: last.startMs, endMs: state.lastSpeechMs };
    else found.push({ startMs: Math.max(state.startMs, last?.endMs ?? 0), endMs: state.lastSpeechMs });
  }
  return found;
}
