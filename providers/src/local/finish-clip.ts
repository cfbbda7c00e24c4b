import { samplesIn } from "@parley/audio/frame";
import { applyGain, fade } from "@parley/audio/gain";
import { dbfsOf, gainOf, peakOf, rmsAt, rmsOf, SILENCE_DBFS } from "@parley/audio/level";
import { resampleClip } from "@parley/audio/resample";
import type { SampleRateHz } from "@parley/audio/resample-filter";

/**
 * The level of our voices while they speak, by ITU-T P.56. RFC 7874 section 4 recommends that an average talker reach a
 * root mean square of 2,600, which is this level: as loud as a person with a good handset, whatever the voice.
 */
export const SPEECH_LEVEL_DBFS = -22;

/** The silence at both ends of every clip, whatever the engine left. Pauses between clauses are added by the player. */
export const LEAD_MS = 30;
export const TAIL_MS = 80;

/** No sample goes beyond this, so that neither the codec nor a mix with comfort noise clips. Such a clip stays quieter. */
const PEAK_MAX_DBFS = -1;
/** A clip that would need more gain than this contains no speech worth raising. */
const GAIN_MAX_DB = 20;
/** A window this far below the speech is silence. An "f" begins even more softly, and is kept within the lead. */
const SILENCE_BELOW_SPEECH_DB = 30;
/** Engines leave traces of noise in otherwise empty clips. */
const SILENCE_MAX_DBFS = -72;
const WINDOW_MS = 5;
const FADE_MS = 4;

/**
 * Prepares an engine's output for a telephone: the requested rate, the common level, and the same short silence at both
 * ends. A clip without any audio becomes an empty one.
 */
export function finishClip(samples: Int16Array, fromHz: SampleRateHz, toHz: SampleRateHz): Int16Array {
  const framed = frameInSilence(fromHz === toHz ? samples : resampleClip(samples, fromHz, toHz), toHz);
  applyGain(framed, gainOf(levellingDbOf(framed, toHz)));
  return framed;
}

function frameInSilence(clip: Int16Array, sampleRateHz: number): Int16Array {
  const { start, end } = soundIn(clip, sampleRateHz);
  if (start === end) return new Int16Array(0);
  const lead = samplesIn(LEAD_MS, sampleRateHz);
  const tail = samplesIn(TAIL_MS, sampleRateHz);
  const framed = new Int16Array(lead + (end - start) + tail);
  const from = Math.max(0, start - lead);
  const until = Math.min(clip.length, end + tail);
  framed.set(clip.subarray(from, until), lead - (start - from));
  // A cut in the middle of faint noise would click.
  const fadeSamples = samplesIn(FADE_MS, sampleRateHz);
  fade(framed, 0, 1, 0, fadeSamples);
  fade(framed, 1, 0, framed.length - fadeSamples);
  return framed;
}

/** Measured after framing, because in a single word the surrounding silence would count as speech. */
function levellingDbOf(clip: Int16Array, sampleRateHz: number): number {
  const wantedDb = SPEECH_LEVEL_DBFS - activeSpeechLevelDbfs(clip, sampleRateHz);
  const roomDb = PEAK_MAX_DBFS - dbfsOf(peakOf(clip));
  return Math.min(wantedDb, roomDb, GAIN_MAX_DB);
}

/** From the first window that is not silence to the end of the last one. */
function soundIn(clip: Int16Array, sampleRateHz: number): { start: number; end: number } {
  const windowSamples = samplesIn(WINDOW_MS, sampleRateHz);
  const threshold = rmsAt(
    Math.max(SILENCE_MAX_DBFS, activeSpeechLevelDbfs(clip, sampleRateHz) - SILENCE_BELOW_SPEECH_DB),
  );
  const isSound = (at: number) => rmsOf(clip.subarray(at, at + windowSamples)) >= threshold;
  let start = 0;
  while (start < clip.length && !isSound(start)) start += windowSamples;
  if (start >= clip.length) return { start: 0, end: 0 };
  let end = clip.length;
  while (end > start && !isSound(Math.max(start, end - windowSamples))) end -= windowSamples;
  return { start, end: Math.max(end, start) };
}

/** The values of ITU-T P.56 section 8.3. */
const TIME_CONSTANT_S = 0.03;
const HANGOVER_S = 0.2;
const MARGIN_DB = 15.9;
/** Thresholds are a factor of two apart; fifteen of them span what 16 bits can hold. */
const THRESHOLDS = 15;

/**
 * The active speech level (ITU-T P.56 method B): the mean power over the time in which the envelope is less than the
 * margin below that very mean, with pauses of up to 200 ms counted as speech. Silence before, after and between words
 * does not make a voice quieter.
 */
export function activeSpeechLevelDbfs(samples: Int16Array, sampleRateHz: number): number {
  const keep = Math.exp(-1 / (sampleRateHz * TIME_CONSTANT_S));
  const hangoverSamples = Math.ceil(HANGOVER_S * sampleRateHz);
  const activeSamples = new Float64Array(THRESHOLDS);
  const quietSamples = new Float64Array(THRESHOLDS).fill(hangoverSamples);
  let energy = 0;
  let smoothed = 0;
  let envelope = 0;
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] as number;
    energy += sample * sample;
    smoothed = keep * smoothed + (1 - keep) * Math.abs(sample);
    envelope = keep * envelope + (1 - keep) * smoothed;
    for (let step = 0; step < THRESHOLDS; step++) {
      if (envelope >= 2 ** step) quietSamples[step] = 0;
      else if ((quietSamples[step] as number) < hangoverSamples) (quietSamples[step] as number)++;
      else continue;
      (activeSamples[step] as number)++;
    }
  }
  return levelAtMargin(energy, activeSamples);
}

/** The higher the threshold, the louder what lies above it and the smaller the distance; the margin is in between. */
function levelAtMargin(energy: number, activeSamples: Float64Array): number {
  let before: { levelDbfs: number; distanceDb: number } | null = null;
  for (let step = 0; step < THRESHOLDS; step++) {
    const active = activeSamples[step] as number;
    if (active === 0) break;
    const levelDbfs = dbfsOf(Math.sqrt(energy / active));
    const here = { levelDbfs, distanceDb: levelDbfs - dbfsOf(2 ** step) };
    if (here.distanceDb <= MARGIN_DB) {
      if (before === null) return levelDbfs;
      const share = (before.distanceDb - MARGIN_DB) / (before.distanceDb - here.distanceDb);
      return before.levelDbfs + share * (levelDbfs - before.levelDbfs);
    }
    before = here;
  }
  return before?.levelDbfs ?? SILENCE_DBFS;
}
