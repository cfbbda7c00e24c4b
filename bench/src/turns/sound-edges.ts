import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";

/** A stretch of audio on a recording. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

const STEP_SAMPLES = samplesIn(5);
/** A lowered voice is well above, the noise of G.711 well below. */
const SOUND_DBFS = -46;

/** Where there is audio, by its energy in steps of 5 ms. Pauses up to `gapMs` belong to it, and clicks do not count. */
export function findSpans(sound: Int16Array, gapMs: number, soundDbfs: number = SOUND_DBFS): Span[] {
  const threshold = rmsAt(soundDbfs);
  const spans: { startMs: number; endMs: number }[] = [];
  for (let start = 0; start + STEP_SAMPLES <= sound.length; start += STEP_SAMPLES) {
    if (rmsOf(sound.subarray(start, start + STEP_SAMPLES)) <= threshold) continue;
    const startMs = durationMsOf(start);
    const last = spans.at(-1);
    if (last !== undefined && startMs - last.endMs <= gapMs) last.endMs = durationMsOf(start + STEP_SAMPLES);
    else spans.push({ startMs, endMs: durationMsOf(start + STEP_SAMPLES) });
  }
  return spans.filter(({ startMs, endMs }) => endMs - startMs >= 15);
}

/** The span that a moment lies in. */
export function spanAt(spans: readonly Span[], atMs: number): Span | null {
  return spans.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs) ?? null;
}
