import { Resampler } from "@parley/audio/resample";
import type { SampleRateHz } from "@parley/audio/resample-filter";

export function changeRate(samples: Int16Array, fromHz: SampleRateHz, toHz: SampleRateHz): Int16Array {
  if (fromHz === toHz) return samples;
  const resampler = new Resampler(fromHz, toHz);
  const out = new Int16Array(resampler.outputSamplesFor(samples.length));
  resampler.process(samples, out);
  return out;
}
