import { dbfsOf, SILENCE_DBFS } from "@parley/audio/level";

/** The values of ITU-T P.56 section 8.3. */
const TIME_CONSTANT_S = 0.03;
const HANGOVER_S = 0.2;
const MARGIN_DB = 15.9;
/** Thresholds are a factor of two apart; fifteen of them span what 16 bits can hold. */
const THRESHOLDS = 15;

/**
 * How loud somebody speaks while speaking (ITU-T P.56 method B): the mean power over the time in which the envelope is
 * less than the margin below that very mean, with pauses of up to 200 ms counted as speech. Silence before, after and
 * between words does not make a voice quieter.
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
