import { describe, expect, it } from "vitest";
import { Resampler } from "./resample.ts";
import type { SampleRateHz } from "./resample-filter.ts";
import { decibels, fitSine, sineWave } from "./testing/sine-fit.ts";
import { openSpeex } from "./testing/speex.ts";

const RATES_HZ: readonly SampleRateHz[] = [8000, 16_000, 24_000, 48_000];
const PAIRS = RATES_HZ.flatMap((fromHz) =>
  RATES_HZ.filter((toHz) => toHz !== fromHz).map((toHz) => [fromHz, toHz] as const),
);
const AMPLITUDE = 30_000;
const TONE_MS = 200;
/** Left out at both ends, where the filter is not yet full. */
const SETTLING_MS = 40;

type Convert = (input: Int16Array, fromHz: SampleRateHz, toHz: SampleRateHz) => Promise<Int16Array>;

const convertOurs: Convert = async (input, fromHz, toHz) => {
  const resampler = new Resampler(fromHz, toHz);
  const output = new Int16Array(resampler.outputSamplesFor(input.length));
  resampler.process(input, output);
  return output;
};

const convertSpeex: Convert = async (input, fromHz, toHz) => {
  const bytes = (await openSpeex(fromHz, toHz)).processChunk(Buffer.from(input.buffer));
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
};

interface Quality {
  /** Largest deviation from unity below 0.87 of half the slower rate. */
  rippleDb: number;
  /** The total output for a tone that the slower rate cannot carry. */
  aliasDb: number;
  /** Everything besides a tone that does pass: images, rounding, distortion. */
  residueDb: number;
}

async function measure(convert: Convert, fromHz: SampleRateHz, toHz: SampleRateHz): Promise<Quality> {
  const halfSlowerHz = Math.min(fromHz, toHz) / 2;
  const settling = (toHz * SETTLING_MS) / 1000;
  const play = async (frequencyHz: number) => {
    const output = await convert(sineWave(frequencyHz, AMPLITUDE, (fromHz * TONE_MS) / 1000, fromHz), fromHz, toHz);
    return output.subarray(settling, output.length - settling);
  };
  const quality: Quality = { rippleDb: 0, aliasDb: Number.NEGATIVE_INFINITY, residueDb: Number.NEGATIVE_INFINITY };
  for (let share = 0.03; share <= 0.87; share += 0.04) {
    const fit = fitSine(await play(share * halfSlowerHz), share * halfSlowerHz, toHz);
    quality.rippleDb = Math.max(quality.rippleDb, Math.abs(decibels(fit.amplitude / AMPLITUDE)));
    quality.residueDb = Math.max(quality.residueDb, decibels((fit.residueRms * Math.SQRT2) / AMPLITUDE));
  }
  for (let share = 1.12; share * halfSlowerHz < fromHz / 2; share += 0.04) {
    const output = await play(share * halfSlowerHz);
    const rms = Math.sqrt(output.reduce((sum, sample) => sum + sample * sample, 0) / output.length);
    quality.aliasDb = Math.max(quality.aliasDb, decibels((rms * Math.SQRT2) / AMPLITUDE));
  }
  return quality;
}

describe("audio of another rate", () => {
  it.each(PAIRS)("from %i to %i Hz keeps what fits and rejects what does not", async (fromHz, toHz) => {
    const ours = await measure(convertOurs, fromHz, toHz);
    const theirs = await measure(convertSpeex, fromHz, toHz);
    const row = ({ rippleDb, aliasDb, residueDb }: Quality) =>
      `ripple ${rippleDb.toFixed(3)} dB, alias ${aliasDb.toFixed(1)} dB, residue ${residueDb.toFixed(1)} dB`;
    console.log(`${fromHz} -> ${toHz}: ours ${row(ours)} | speex q5 ${row(theirs)}`);
    expect(ours.rippleDb).toBeLessThan(0.02);
    expect(ours.residueDb).toBeLessThan(-65);
    expect(ours.aliasDb).toBeLessThan(-65);
    // The reference is flatter than anyone can hear; ours may be within a hundredth of a decibel of it.
    expect(ours.rippleDb).toBeLessThan(theirs.rippleDb + 0.02);
  });
});
