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
  let best = 0;
  for (let lag = LAG_MIN; lag <= Math.min(LAG_MAX, count >> 1); lag++) best = Math.max(best, likenessAt(sound, lag));
  return best;
}

/**
 * Removes what each sample has in common with the one before. Noise of any colour becomes nearly white; a sine stays a
 * sine, because predicting it takes two samples.
 */
function withoutTilt(sound: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const shared = likenessAt(sound, 1);
  return sound.map((sample, index) => (index === 0 ? 0 : sample - shared * (sound[index - 1] as number)));
}

function likenessAt(sound: Float32Array, lag: number): number {
  let product = 0;
  let early = 0;
  let late = 0;
  for (let index = lag; index < sound.length; index++) {
    const now = sound[index] as number;
    const before = sound[index - lag] as number;
    product += now * before;
    early += before * before;
    late += now * now;
  }
  return early === 0 || late === 0 ? 0 : Math.max(0, product / Math.sqrt(early * late));
}
