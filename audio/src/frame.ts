/** The telephone network samples 8,000 times a second (ITU-T G.711) and we move its audio in steps of 20 ms. */
export const TELEPHONE_RATE_HZ = 8000;
export const FRAME_MS = 20;
export const FRAME_SAMPLES = (TELEPHONE_RATE_HZ * FRAME_MS) / 1000;

const SAMPLE_MAX = 32_767;
export const SAMPLE_MIN = -32_768;

/** Linear 16-bit audio of one channel. The holder of a frame owns it: it is never a view on a socket's buffer. */
export type Samples = Int16Array;

export function createFrame(): Samples {
  return new Int16Array(FRAME_SAMPLES);
}

/** Rounds to the nearest sample and saturates, because wrapping around is heard as a bang. */
export function saturate(value: number): number {
  if (value >= SAMPLE_MAX) return SAMPLE_MAX;
  if (value <= SAMPLE_MIN) return SAMPLE_MIN;
  // Shifting into the positive range turns truncation into rounding down, which is cheaper than Math.round.
  return ((value + 32_768.5) | 0) - 32_768;
}

/** Whole samples in a time, rounded to the nearest. */
export function samplesIn(durationMs: number, sampleRateHz: number = TELEPHONE_RATE_HZ): number {
  return Math.round((durationMs * sampleRateHz) / 1000);
}

export function durationMsOf(samples: number, sampleRateHz: number = TELEPHONE_RATE_HZ): number {
  return (samples * 1000) / sampleRateHz;
}

/** Copies audio between buffers without creating a view of either. The ranges must lie inside both. */
export function copySamples(from: Samples, fromStart: number, to: Samples, toStart: number, count: number): void {
  if (fromStart + count > from.length || toStart + count > to.length) {
    throw new RangeError(`${count} samples from ${fromStart} to ${toStart} do not fit`);
  }
  for (let index = 0; index < count; index++) to[toStart + index] = from[fromStart + index] as number;
}

/** Returns a recording frame by frame. The last frame is padded with silence, and the frame is reused. */
export function* framesOf(samples: Samples, frameSamples: number = FRAME_SAMPLES): Generator<Samples> {
  const frame = new Int16Array(frameSamples);
  for (let start = 0; start < samples.length; start += frameSamples) {
    const count = Math.min(frameSamples, samples.length - start);
    copySamples(samples, start, frame, 0, count);
    frame.fill(0, count);
    yield frame;
  }
}
