import { durationMsOf } from "@parley/audio/frame";
import { SILERO_WINDOW_SAMPLES, SileroMemory, type SileroModel } from "@parley/providers/local/vad/silero-model";
import type { JudgedWindow } from "@parley/voice/turns/hearing/speech-segmenter";

/** Like the speech detection thread: all lines in one run. */
const LINES_AT_ONCE = 16;

/** Returns the probability of speech in every window of each recording. */
export async function detectSpeech(
  model: SileroModel,
  recordings: readonly Int16Array[],
): Promise<readonly (readonly JudgedWindow[])[]> {
  const judged: JudgedWindow[][] = recordings.map(() => []);
  for (let first = 0; first < recordings.length; first += LINES_AT_ONCE) {
    const lines = recordings.slice(first, first + LINES_AT_ONCE).map((samples, index) => ({
      samples,
      memory: new SileroMemory(),
      windows: judged[first + index] as JudgedWindow[],
    }));
    const longest = Math.max(...lines.map(({ samples }) => samples.length));
    for (let start = 0; start + SILERO_WINDOW_SAMPLES <= longest; start += SILERO_WINDOW_SAMPLES) {
      const end = start + SILERO_WINDOW_SAMPLES;
      const open = lines.filter(({ samples }) => samples.length >= end);
      for (const { memory, samples } of open) memory.take(samples.subarray(start, end));
      const probabilities = await model.judge(open.map(({ memory }) => memory));
      open.forEach(({ windows }, row) => {
        const durationMs = durationMsOf(SILERO_WINDOW_SAMPLES);
        windows.push({ endMs: durationMsOf(end), durationMs, probability: probabilities[row] ?? 0 });
      });
    }
  }
  return judged;
}
