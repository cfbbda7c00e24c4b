/**
 * Tests run side by side on one thread, and another call's ears must not be kept waiting: hence two steps, a short probe
 * at every lag and the whole at the lags nearby.
 */
import { bestCorrelation, type Likeness } from "@parley/telephony/rtp/testing/best-correlation";

/** Long enough to tell one moment of a chirp from another, short enough to be looked for everywhere in no time. */
const PROBE_SAMPLES = 400;
/** The probe may have found a neighbouring wave of the same moment. */
const NEAR_SAMPLES = 80;

export interface Span {
  /** Which part of what was said is looked for; by default all but the very ends, where lines open and close. */
  readonly start?: number;
  readonly count?: number;
}

/** How alike what was said and what was heard are, at the one lag that suits best: 1 is the same. */
export function likeness(said: Int16Array, heard: Int16Array, span: Span = {}): Likeness {
  const start = span.start ?? Math.floor(said.length / 10);
  const count = span.count ?? said.length - 2 * start;
  const probe = { start: start + Math.floor((count - PROBE_SAMPLES) / 2), count: Math.min(PROBE_SAMPLES, count) };
  const found = bestCorrelation(said, heard, { ...probe, lagMin: -said.length, lagMax: heard.length - probe.start });
  const lagMin = found.lagSamples - NEAR_SAMPLES;
  return bestCorrelation(said, heard, { start, count, lagMin, lagMax: found.lagSamples + NEAR_SAMPLES });
}
