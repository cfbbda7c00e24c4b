import { bestCorrelation, type Likeness } from "@parley/telephony/rtp/testing/best-correlation";

/** Long enough to tell one moment of a chirp from another, short enough to be looked for everywhere in no time. */
const PROBE_SAMPLES = 400;
/** The probe may have found a neighbouring wave of the same moment. */
const NEAR_SAMPLES = 80;
/** Where a line opens or another chirp follows, a codec and a fade may touch the very ends. */
const EDGE_SAMPLES = 160;

/**
 * Looks for a phrase in what was heard, as often as it may have been said, and gives how alike each occurrence is: 1 is
 * the same. The best comes first.
 *
 * Tests run side by side on one thread, and another call's ears must not be kept waiting: hence a short probe at every
 * lag, and the whole phrase only at the lags nearby.
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
 * How alike a phrase and its clearest occurrence are. A phrase is said several times because a machine that is busy
 * elsewhere may swallow a moment of one of them; what is wrong with the line itself is wrong with all.
 */
export function likeness(phrase: Int16Array, heard: Int16Array): number {
  return occurrences(phrase, heard, 3)[0]?.correlation ?? 0;
}

function findOne(phrase: Int16Array, heard: Int16Array): Likeness {
  const start = Math.floor((phrase.length - PROBE_SAMPLES) / 2);
  const lagMax = heard.length - start - PROBE_SAMPLES;
  const probe = bestCorrelation(phrase, heard, { start, count: PROBE_SAMPLES, lagMin: -start, lagMax });
  return bestCorrelation(phrase, heard, {
    start: EDGE_SAMPLES,
    count: phrase.length - 2 * EDGE_SAMPLES,
    lagMin: probe.lagSamples - NEAR_SAMPLES,
    lagMax: probe.lagSamples + NEAR_SAMPLES,
  });
}
