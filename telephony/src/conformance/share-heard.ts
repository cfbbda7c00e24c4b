/** A tenth of a second: long enough to be unmistakable, short enough for a lost packet to spoil only a few of them. */
const WINDOW_SAMPLES = 800;
const ALIKE_MIN = 0.95;

/**
 * How much of a recording arrived, from 0 to 1: the share of its windows that stand in what was heard, all at nearly the
 * same lag. The lag is found by one window in the middle of the recording and then followed.
 */
export function shareHeard(said: Int16Array, heard: Int16Array): number {
  const starts = Array.from({ length: Math.floor(said.length / WINDOW_SAMPLES) }, (_, index) => index * WINDOW_SAMPLES);
  let best = 0;
  for (const anchor of [0.5, 0.25, 0.75]) {
    const at = starts[Math.floor(starts.length * anchor)] ?? 0;
    const lag = bestLag(said, heard, at);
    if (lag === null) continue;
    const alike = starts.filter((start) => isThere(said, heard, start, lag)).length;
    best = Math.max(best, alike / starts.length);
  }
  return best;
}

function bestLag(said: Int16Array, heard: Int16Array, start: number): number | null {
  let best = ALIKE_MIN;
  let found: number | null = null;
  for (let lag = -start; start + lag + WINDOW_SAMPLES <= heard.length; lag += 1) {
    const value = likeness(said, heard, start, lag);
    if (value > best) {
      best = value;
      found = lag;
    }
  }
  return found;
}

/** A jitter buffer may have moved by some milliseconds in between. */
function isThere(said: Int16Array, heard: Int16Array, start: number, lag: number): boolean {
  for (let shift = 0; shift <= 480; shift += 1) {
    if (
      likeness(said, heard, start, lag + shift) > ALIKE_MIN ||
      likeness(said, heard, start, lag - shift) > ALIKE_MIN
    ) {
      return true;
    }
  }
  return false;
}

function likeness(said: Int16Array, heard: Int16Array, start: number, lag: number): number {
  if (start + lag < 0 || start + lag + WINDOW_SAMPLES > heard.length) return -1;
  let product = 0;
  let saidEnergy = 1e-9;
  let heardEnergy = 1e-9;
  for (let index = start; index < start + WINDOW_SAMPLES; index += 1) {
    const a = said[index] ?? 0;
    const b = heard[index + lag] ?? 0;
    product += a * b;
    saidEnergy += a * a;
    heardEnergy += b * b;
  }
  return product / Math.sqrt(saidEnergy * heardEnergy);
}
