import type { KokoroVoiceId } from "../kokoro-voices.ts";
import type { SpeechFeatures } from "./speech-features.ts";
import type { FrameRange } from "./telephone-decoder.ts";

/**
 * The level of a clause follows the energy that Kokoro plans for it, at a quarter of its range: measured on clauses of
 * all voices by tools/train-vocoder/measure-levels.ts, as is the table.
 */
export const LEVEL_PER_ENERGY = 0.27;

/** The level at which each voice is decoded, by ITU-T P.56, for a clause whose energy is 0 dB. */
const LEVELS_DBFS: Readonly<Record<KokoroVoiceId, number>> = {
  af_heart: -41.5,
  af_alloy: -39.3,
  af_aoede: -39.3,
  af_bella: -41.0,
  af_jessica: -40.5,
  af_kore: -39.6,
  af_nicole: -40.5,
  af_nova: -42.2,
  af_river: -39.4,
  af_sarah: -39.9,
  af_sky: -40.5,
  am_adam: -38.4,
  am_echo: -40.0,
  am_eric: -40.4,
  am_fenrir: -39.7,
  am_liam: -40.3,
  am_michael: -41.3,
  am_onyx: -40.0,
  am_puck: -39.1,
  am_santa: -41.7,
  bf_alice: -39.7,
  bf_emma: -39.3,
  bf_isabella: -38.5,
  bf_lily: -39.9,
  bm_daniel: -39.4,
  bm_fable: -41.3,
  bm_george: -40.4,
  bm_lewis: -40.8,
  ef_dora: -39.4,
  em_alex: -39.7,
  em_santa: -41.2,
  ff_siwis: -39.3,
  if_sara: -39.9,
  im_nicola: -39.8,
  pf_dora: -39.6,
  pm_alex: -39.9,
  pm_santa: -41.2,
};

/** The level at which a clause will be decoded, before any of it is. */
export function forecastLevelDbfs(
  voiceId: KokoroVoiceId,
  { energy }: Pick<SpeechFeatures, "energy">,
  range: FrameRange,
): number {
  return LEVELS_DBFS[voiceId] + LEVEL_PER_ENERGY * energyDb(energy, range);
}

/** The mean energy of the frames, whose logarithms are given. */
export function energyDb(energy: Float32Array, { from, until }: FrameRange): number {
  let sum = 0;
  for (let frame = from; frame < until; frame++) sum += Math.exp(energy[frame] as number);
  return 20 * Math.log10(sum / (until - from));
}
