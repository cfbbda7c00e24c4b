import { expect, it } from "vitest";
import { Resampler, resampleClip } from "./resample.ts";
import { resampleFilterFor, type SampleRateHz } from "./resample-filter.ts";
import { createRandom } from "./testing/random.ts";
import { fitSine, sineWave } from "./testing/sine-fit.ts";

const RATES_HZ: readonly SampleRateHz[] = [8000, 16_000, 24_000, 48_000];
/** How long a call is converted: `npm run test:all` takes ten minutes of it. */
const CALL_S = process.env["PARLEY_TESTS_THOROUGH"] === "1" ? 600 : 60;
const PAIRS = RATES_HZ.flatMap((fromHz) => RATES_HZ.map((toHz) => [fromHz, toHz] as const));

function convertInChunks(input: Int16Array, fromHz: SampleRateHz, toHz: SampleRateHz, chunk: () => number): Int16Array {
  const resampler = new Resampler(fromHz, toHz);
  const output = new Int16Array(Math.ceil((input.length * toHz) / fromHz));
  let written = 0;
  let isAsAnnounced = true;
  for (let start = 0; start < input.length; ) {
    const part = input.subarray(start, start + chunk());
    const announced = resampler.outputSamplesFor(part.length);
    isAsAnnounced &&= resampler.process(part, output.subarray(written)) === announced;
    written += announced;
    start += part.length;
  }
  expect(isAsAnnounced).toBe(true);
  expect(written).toBe(output.length);
  return output;
}

it.each(PAIRS)("from %i to %i Hz the result is the same however the audio is split into chunks", (fromHz, toHz) => {
  const random = createRandom(fromHz + toHz);
  const input = Int16Array.from({ length: fromHz / 4 + 7 }, () => random.wholeBetween(-32_768, 32_767));
  const whole = convertInChunks(input, fromHz, toHz, () => input.length);
  const framed = convertInChunks(input, fromHz, toHz, () => fromHz / 50);
  const single = convertInChunks(input, fromHz, toHz, () => 1);
  const mixed = convertInChunks(input, fromHz, toHz, () => random.wholeBetween(1, 2000));
  expect(framed).toEqual(whole);
  expect(single).toEqual(whole);
  expect(mixed).toEqual(whole);
});

it.each([
  [8000, 16_000],
  [24_000, 8000],
  [16_000, 24_000],
  [24_000, 16_000],
] as const)("from %i to %i Hz a call in 20 ms frames neither gains nor loses a sample", (fromHz, toHz) => {
  const resampler = new Resampler(fromHz, toHz);
  const input = new Int16Array(fromHz / 50);
  const output = new Int16Array(toHz / 50);
  let written = 0;
  for (let frame = 0; frame < 50 * CALL_S; frame++) written += resampler.process(input, output);
  expect(written).toBe(CALL_S * toHz);
});

it("a call in frames that fit no ratio still has the exact length", () => {
  const random = createRandom(3);
  const resampler = new Resampler(16_000, 24_000);
  const output = new Int16Array(4000);
  let read = 0;
  let written = 0;
  while (read < CALL_S * 16_000) {
    const count = random.wholeBetween(1, 2500);
    written += resampler.process(new Int16Array(count), output);
    read += count;
    expect(written).toBe(Math.ceil((read * 3) / 2));
  }
});

it.each(PAIRS)("from %i to %i Hz there is no click where frames meet", (fromHz, toHz) => {
  const frequencyHz = 1004;
  const input = sineWave(frequencyHz, 20_000, fromHz, fromHz);
  const output = convertInChunks(input, fromHz, toHz, () => fromHz / 50);
  const settled = output.subarray(toHz / 10, output.length);
  const { residueRms } = fitSine(settled, frequencyHz, toHz);
  expect(residueRms).toBeLessThan(4);
});

it.each(PAIRS)("from %i to %i Hz the delay is as declared", (fromHz, toHz) => {
  const resampler = new Resampler(fromHz, toHz);
  const input = new Int16Array(fromHz / 50);
  const pulseAt = fromHz / 400;
  input[pulseAt] = 30_000;
  const output = new Int16Array(toHz / 50);
  resampler.process(input, output);
  const loudestAt = output.reduce((best, sample, index) => (sample > (output[best] ?? 0) ? index : best), 0);
  expect(loudestAt).toBe((pulseAt * toHz) / fromHz + resampler.delaySamples);
  // 20 samples of the slower rate, or none if nothing changes.
  expect(resampler.delaySamples).toBe(fromHz === toHz ? 0 : (20 * toHz) / Math.min(fromHz, toHz));
});

it("streams between the same rates share one filter", () => {
  expect(resampleFilterFor(8000, 16_000)).toBe(resampleFilterFor(8000, 16_000));
});

it("the loudest possible audio saturates and does not wrap around", () => {
  const square = Int16Array.from({ length: 800 }, (_, index) => (index % 16 < 8 ? 32_767 : -32_768));
  const output = resampleClip(square, 8000, 48_000);
  expect(Math.max(...output)).toBe(32_767);
  expect(Math.min(...output)).toBe(-32_768);
  // Between two samples at the rail the curve stays on its side of zero.
  for (let start = 4; start < 790; start += 16) {
    expect(
      Math.min(...output.subarray(6 * (start - (start % 16) + 1), 6 * (start - (start % 16) + 7))),
    ).toBeGreaterThan(0);
  }
});

it("a reset stream does not depend on the one before", () => {
  const resampler = new Resampler(24_000, 16_000);
  const input = sineWave(700, 9000, 481, 24_000);
  const first = new Int16Array(400);
  const second = new Int16Array(400);
  resampler.process(input, first);
  resampler.reset();
  resampler.process(input, second);
  expect(second).toEqual(first);
});

it("an output that is too small is refused before any input is consumed", () => {
  const resampler = new Resampler(8000, 16_000);
  const input = sineWave(700, 9000, 160, 8000);
  expect(() => resampler.process(input, new Int16Array(319))).toThrow(RangeError);
  const output = new Int16Array(320);
  expect(resampler.process(input, output)).toBe(320);
  const fresh = new Int16Array(320);
  new Resampler(8000, 16_000).process(input, fresh);
  expect(output).toEqual(fresh);
});

it("a converted recording keeps its start and its end", () => {
  for (const [fromHz, toHz] of PAIRS) {
    const clip = sineWave(500, 12_000, fromHz / 10, fromHz);
    const converted = resampleClip(clip, fromHz, toHz);
    const expected = sineWave(500, 12_000, toHz / 10, toHz);
    expect(converted).toHaveLength(expected.length);
    const middle = [Math.floor(expected.length * 0.3), Math.floor(expected.length * 0.7)] as const;
    const deviations = expected.slice(...middle).map((sample, index) => sample - (converted[middle[0] + index] ?? 0));
    expect(Math.max(...deviations.map(Math.abs))).toBeLessThan(8);
  }
});
