/** The pitches of music and voices, as lags at 4 kHz: 50 to 400 Hz. Higher notes repeat within these lags as well. */
const LAG_MIN = 10;
const LAG_MAX = 80;
/** Cars, wind and rooms hum without a pitch: the spectral tilt is removed this many times, which leaves only notes. */
const TILTS_REMOVED = 2;

/** How periodic a window of 8 kHz audio is, from 0 to 1: its best correlation with itself a little later. */
export function tonalityOf(samples: Int16Array): number {
  const count = samples.length >> 1;
  const halved = new Float32Array(count);
  for (let index = 0; index < count; index++) {
    halved[index] = (samples[2 * index] as number) + (samples[2 * index + 1] as number);
  }
  let sound = halved;
  for (let times = 0; times < TILTS_REMOVED; times++) sound = withoutTilt(sound);
  const energy = energyUpTo(sound);
  let best = 0;
  for (let lag = LAG_MIN; lag <= Math.min(LAG_MAX, count >> 1); lag++) {
    best = Math.max(best, likenessAt(sound, lag, energy));
  }
  return best;
}

/**
 * Removes what each sample has in common with the one before. Noise of any colour becomes nearly white; a sine stays a
 * sine, because predicting it takes two samples.
 */
function withoutTilt(sound: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const shared = likenessAt(sound, 1, energyUpTo(sound));
  return sound.map((sample, index) => (index === 0 ? 0 : sample - shared * (sound[index - 1] as number)));
}

/** The energy before each sample, and of all of them: each lag needs two of these sums. */
function energyUpTo(sound: Float32Array): Float64Array {
  const energy = new Float64Array(sound.length + 1);
  for (let index = 0; index < sound.length; index++) {
    const sample = sound[index] as number;
    energy[index + 1] = (energy[index] as number) + sample * sample;
  }
  return energy;
}

function likenessAt(sound: Float32Array, lag: number, energy: Float64Array): number {
  const early = energy[sound.length - lag] as number;
  const late = (energy[sound.length] as number) - (energy[lag] as number);
  if (early <= 0 || late <= 0) return 0;
  let product = 0;
  for (let index = lag; index < sound.length; index++) {
    product += (sound[index] as number) * (sound[index - lag] as number);
  }
  return Math.max(0, product / Math.sqrt(early * late));
}
