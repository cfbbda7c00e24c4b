import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FourierPlan } from "./fourier-plan.ts";
import type { SpeechFeatures } from "./speech-features.ts";
import { type DecoderRateHz, type FrameRange, TelephoneDecoder } from "./telephone-decoder.ts";

const FRAMES = 90;

let decoder: TelephoneDecoder;

beforeAll(async () => {
  decoder = await TelephoneDecoder.open();
});

afterAll(async () => {
  await decoder.close();
});

/** A rising tone between two stretches without voice. */
const speech: SpeechFeatures = {
  frames: FRAMES,
  features: Float32Array.from({ length: 512 * FRAMES }, (_, at) => Math.sin(at * 0.37) * 0.3),
  pitchHz: Float32Array.from({ length: FRAMES }, (_, frame) => (frame < 20 || frame > 75 ? 0 : 120 + frame)),
  energy: new Float32Array(FRAMES),
  style: Float32Array.from({ length: 128 }, (_, at) => Math.cos(at) * 0.1),
  symbolFrames: [20, 56, 14],
  fill: async () => undefined,
};

describe.each([8_000, 16_000] as const)("at %i Hz", (rateHz) => {
  test("there is audio for every frame", async () => {
    expect((await decode(rateHz)).length).toBe((FRAMES * rateHz) / 80);
  });

  test("joined chunks equal a single run, so that their borders are inaudible", async () => {
    const whole = await decode(rateHz, [FRAMES]);
    const loudest = Math.max(...whole.map(Math.abs));
    expect(loudest).toBeGreaterThan(0.001);
    for (const sizes of [
      [1, 40],
      [24, 80],
    ]) {
      const joined = await decode(rateHz, sizes);
      const difference = Math.max(...joined.map((value, at) => Math.abs(value - (whole[at] as number))));
      expect(difference / loudest).toBeLessThan(1e-3);
    }
  });

  test("the silence before and after can be skipped without changing what is between", async () => {
    const whole = await decode(rateHz);
    const hop = rateHz / 80;
    const part = await decode(rateHz, undefined, { from: 18, until: 80 });
    expect(part.length).toBe(62 * hop);
    // Windows reach over four frames, so the first and the last ones lack a neighbour.
    const difference = Math.max(
      ...part.subarray(4 * hop, -4 * hop).map((value, at) => Math.abs(value - (whole[22 * hop + at] as number))),
    );
    expect(difference).toBeLessThan(1e-4);
  });

  test("the same features always produce the same audio", async () => {
    expect(await decode(rateHz)).toEqual(await decode(rateHz));
  });
});

test("the narrow band is the lower half of the wide one", async () => {
  const [narrow, wide] = [await decode(8_000, [FRAMES]), await decode(16_000, [FRAMES])];
  // Noise differs between the rates; in the voiced middle it is faint below 1 kHz.
  const level = (samples: Float32Array, rateHz: number) => bandLevel(samples.subarray(rateHz / 2, rateHz), rateHz);
  expect(Math.abs(20 * Math.log10(level(narrow, 8_000) / level(wide, 16_000)))).toBeLessThan(1.5);
});

test("a transform of 400 samples is the sum of its definition", () => {
  const length = 400;
  const [re, im] = [Math.sin, Math.cos].map((wave) => Float64Array.from({ length }, (_, at) => wave(at * at * 0.01)));
  const [outRe, outIm] = [new Float64Array(length), new Float64Array(length)];
  new FourierPlan(length).forward(re as Float64Array, im as Float64Array, outRe, outIm);
  for (const bin of [0, 1, 7, 200, 399]) {
    let [sumRe, sumIm] = [0, 0];
    for (let at = 0; at < length; at++) {
      const angle = (-2 * Math.PI * bin * at) / length;
      sumRe += (re?.[at] as number) * Math.cos(angle) - (im?.[at] as number) * Math.sin(angle);
      sumIm += (re?.[at] as number) * Math.sin(angle) + (im?.[at] as number) * Math.cos(angle);
    }
    expect(outRe[bin]).toBeCloseTo(sumRe, 6);
    expect(outIm[bin]).toBeCloseTo(sumIm, 6);
  }
});

async function decode(
  rateHz: DecoderRateHz,
  chunkFrames?: readonly number[],
  range?: FrameRange,
): Promise<Float32Array> {
  const samples: number[] = [];
  for await (const chunk of decoder.decode(speech, rateHz, range, chunkFrames)) samples.push(...chunk);
  return Float32Array.from(samples);
}

/** How strong a second half of audio is between 100 and 1,000 Hz. */
function bandLevel(samples: Float32Array, rateHz: number): number {
  const re = Float64Array.from(samples);
  const [im, outRe, outIm] = [new Float64Array(re.length), new Float64Array(re.length), new Float64Array(re.length)];
  new FourierPlan(re.length).forward(re, im, outRe, outIm);
  const [from, until] = [100, 1_000].map((hertz) => Math.round((hertz * re.length) / rateHz));
  let power = 0;
  for (let bin = from as number; bin < (until as number); bin++)
    power += (outRe[bin] as number) ** 2 + (outIm[bin] as number) ** 2;
  return Math.sqrt(power) / re.length;
}
