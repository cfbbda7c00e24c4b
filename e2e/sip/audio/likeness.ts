import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { rmsOf } from "@parley/audio/level";
import { bestCorrelation, type Likeness } from "@parley/telephony/rtp/testing/best-correlation";
import { changeRate } from "./change-rate.ts";

/** Long enough to distinguish one moment of a chirp from another, short enough for a fast search. */
const PROBE_SAMPLES = 400;
/** The probe may have found a neighbouring wave of the same moment. */
const NEAR_SAMPLES = 80;
/** Where a line opens or another chirp follows, a codec and a fade may affect the ends. */
const EDGE_SAMPLES = 160;

/**
 * Searches for a phrase in what was heard, as often as it may have been said, and returns the similarity of each
 * occurrence: 1 is identical. The best comes first.
 *
 * Tests run concurrently on one thread, and must not block another call's audio: so a short probe at every lag, and the
 * whole phrase only at the lags nearby.
 */
export function occurrences(phrase: Int16Array, heard: Int16Array, times: number): Likeness[] {
  const rest = Int16Array.from(heard);
  const found = Array.from({ length: times }, () => {
    const occurrence = findOne(phrase, rest);
    const start = Math.max(0, occurrence.lagSamples);
    rest.fill(0, start, Math.max(start, occurrence.lagSamples + phrase.length));
    return occurrence;
  });
  return found.sort((a, b) => b.correlation - a.correlation);
}

/**
 * The similarity of a phrase and its clearest occurrence. A phrase is repeated because a busy machine may lose a moment
 * of one of them; a fault of the line affects all.
 */
export function likeness(phrase: Int16Array, heard: Int16Array): number {
  return occurrences(phrase, heard, 3)[0]?.correlation ?? 0;
}

/** Long enough to distinguish one moment of speech from another, short enough that most lose nothing on a busy machine. */
const MOMENT_SAMPLES = 800;
const SPEECH_RMS = 300;

/**
 * The similarity of most moments of speech and what was heard, wherever each of them is. A busy machine loses some moments and
 * delays the others; a fault of the line affects all.
 */
export function likenessOfMoments(speech: Int16Array, heard: Int16Array): number {
  const moments = Array.from({ length: Math.floor(speech.length / MOMENT_SAMPLES) }, (_, index) =>
    speech.subarray(index * MOMENT_SAMPLES, (index + 1) * MOMENT_SAMPLES),
  ).filter((moment) => rmsOf(moment) > SPEECH_RMS);
  const search = { start: 0, count: MOMENT_SAMPLES, lagMin: 0, lagMax: heard.length - MOMENT_SAMPLES };
  const found = moments.map((moment) => bestCorrelation(moment, heard, search).correlation).sort((a, b) => a - b);
  return found[Math.floor(found.length / 2)] ?? 0;
}

function findOne(phrase: Int16Array, heard: Int16Array): Likeness {
  const start = Math.floor((phrase.length - PROBE_SAMPLES) / 2);
  const lagMax = heard.length - start - PROBE_SAMPLES;
  const probe = bestCorrelation(phrase, heard, { start, count: PROBE_SAMPLES, lagMin: -start, lagMax });
  return bestCorrelation(phrase, heard, wholeNear(phrase, probe));
}

function wholeNear(phrase: Int16Array, { lagSamples }: Likeness) {
  return {
    start: EDGE_SAMPLES,
    count: phrase.length - 2 * EDGE_SAMPLES,
    lagMin: lagSamples - NEAR_SAMPLES,
    lagMax: lagSamples + NEAR_SAMPLES,
  };
}

const FINE_RATE_HZ = 48_000;
const FINE_STEPS = FINE_RATE_HZ / TELEPHONE_RATE_HZ;

/**
 * As `likeness`, for codecs that work at another rate: they delay by parts of a sample, which at high frequencies is a lot. It takes
 * too long for tests that run concurrently.
 */
export function likenessBetweenSamples(phrase: Int16Array, heard: Int16Array): number {
  const [found] = occurrences(phrase, heard, 3);
  if (found === undefined || found.correlation > CLEAR) return found?.correlation ?? 0;
  const fine = changeRate(phrase, TELEPHONE_RATE_HZ, FINE_RATE_HZ);
  const delayed = Array.from({ length: FINE_STEPS }, (_, step) =>
    phrase.map((__, index) => fine[FINE_STEPS * index + step] ?? 0),
  );
  const near = wholeNear(phrase, found);
  return Math.max(found.correlation, ...delayed.map((each) => bestCorrelation(each, heard, near).correlation));
}

const CLEAR = 0.99;
