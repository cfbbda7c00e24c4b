const RATE_HZ = 8_000;
const PITCH_FROM_HZ = 60;
const PITCH_TO_HZ = 400;
/** 50 ms, over which a pitch repeats itself. */
const WINDOW = 400;
const CANDIDATES_MAX = 8;
/** The costs with which Praat chooses a path through the candidates (Boersma 1993). */
const VOICED_MIN = 0.45;
const OCTAVE_COST = 0.01;
const OCTAVE_JUMP_COST = 0.35;
const VOICING_COST = 0.14;

interface Candidate {
  /** 0: no voice. */
  readonly pitchHz: number;
  readonly score: number;
}

/**
 * The pitch around each of these samples in hertz, 0 where there is none. Multiples of a period repeat as well as the period does, so
 * each frame has several candidates, and those are chosen that make the smoothest path.
 */
export function trackPitch(samples: Int16Array, centres: readonly number[]): Float64Array {
  const frames = centres.map((centre) => candidatesAt(samples, centre));
  const totals: number[][] = [];
  const before: number[][] = [];
  for (const [index, candidates] of frames.entries()) {
    const previous = frames[index - 1] ?? [];
    const best = candidates.map((candidate) => {
      let [place, total] = [0, index === 0 ? 0 : Number.NEGATIVE_INFINITY];
      for (const [at, other] of previous.entries()) {
        const value = (totals[index - 1]?.[at] as number) - changeCost(other, candidate);
        if (value > total) [place, total] = [at, value];
      }
      return { place, total: total + candidate.score };
    });
    totals.push(best.map(({ total }) => total));
    before.push(best.map(({ place }) => place));
  }
  const pitches = new Float64Array(frames.length);
  const last = totals.at(-1) ?? [];
  let place = last.indexOf(Math.max(...last));
  for (let index = frames.length - 1; index >= 0; index--) {
    pitches[index] = frames[index]?.[place]?.pitchHz ?? 0;
    place = before[index]?.[place] ?? 0;
  }
  return pitches;
}

function changeCost(one: Candidate, other: Candidate): number {
  if (one.pitchHz === 0 && other.pitchHz === 0) return 0;
  if (one.pitchHz === 0 || other.pitchHz === 0) return VOICING_COST;
  return OCTAVE_JUMP_COST * Math.abs(Math.log2(one.pitchHz / other.pitchHz));
}

/** The periods at which the samples around this one repeat best, and that there is none. */
function candidatesAt(samples: Int16Array, centre: number): Candidate[] {
  const none: Candidate = { pitchHz: 0, score: VOICED_MIN };
  const from = centre - WINDOW / 2;
  const longest = Math.floor(RATE_HZ / PITCH_FROM_HZ);
  if (from < 0 || from + WINDOW + longest > samples.length) return [none];
  const shortest = Math.ceil(RATE_HZ / PITCH_TO_HZ);
  const scores: number[] = [];
  for (let lag = shortest; lag <= longest; lag++) {
    let [both, left, right] = [0, 1, 1];
    for (let at = from; at < from + WINDOW; at++) {
      const x = samples[at] as number;
      const y = samples[at + lag] as number;
      both += x * y;
      left += x * x;
      right += y * y;
    }
    scores.push(both / Math.sqrt(left * right));
  }
  const peaks: Candidate[] = [];
  for (const [index, score] of scores.entries()) {
    const [earlier, later] = [scores[index - 1], scores[index + 1]];
    if (earlier === undefined || later === undefined || score < earlier || score <= later) continue;
    // A parabola through the peak and its neighbours: a lag is a whole number of samples.
    const bend = earlier - 2 * score + later;
    const pitchHz = RATE_HZ / (shortest + index + (bend === 0 ? 0 : (0.5 * (earlier - later)) / bend));
    peaks.push({ pitchHz, score: score + OCTAVE_COST * Math.log2(pitchHz / PITCH_FROM_HZ) });
  }
  return [none, ...peaks.toSorted((one, other) => other.score - one.score).slice(0, CANDIDATES_MAX)];
}
