import { describe, expect, it } from "vitest";
import { createRateConverter } from "./rate-converter.ts";

const SECONDS = 0.5;

function tone(frequencyHz: number, rateHz: number): Int16Array {
  return Int16Array.from({ length: SECONDS * rateHz }, (_, at) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * frequencyHz * at) / rateHz)),
  );
}

function convert(input: Int16Array, fromHz: number, toHz: number, pieceSamples = input.length): Int16Array {
  const converter = createRateConverter(fromHz, toHz);
  const output: number[] = [];
  for (let at = 0; at < input.length; at += pieceSamples) {
    output.push(...converter.process(input.subarray(at, at + pieceSamples)));
  }
  output.push(...converter.flush());
  return Int16Array.from(output);
}

/** The largest difference, away from the ends where a tone that begins at once has no clean shape. */
function worstError(one: Int16Array, other: Int16Array): number {
  const margin = Math.floor(one.length / 10);
  return one.slice(margin, -margin).reduce((worst, sample, at) => {
    return Math.max(worst, Math.abs(sample - (other[at + margin] ?? 0)));
  }, 0);
}

describe("audio of any rate", () => {
  it.each([
    [22_050, 8_000],
    [44_100, 8_000],
    [24_000, 8_000],
    [16_000, 8_000],
    [8_000, 24_000],
    [32_000, 48_000],
    [22_050, 24_000],
  ])("from %i to %i Hz keeps its pitch, loudness, length and place", (fromHz, toHz) => {
    const output = convert(tone(1_000, fromHz), fromHz, toHz);
    expect(output).toHaveLength(SECONDS * toHz);
    expect(worstError(tone(1_000, toHz), output)).toBeLessThan(30);
  });

  it.each([22_050, 44_100])("of %i Hz loses what does not fit the telephone instead of folding it", (fromHz) => {
    expect(worstError(new Int16Array(SECONDS * 8_000), convert(tone(6_000, fromHz), fromHz, 8_000))).toBeLessThan(30);
  });

  it.each([
    [22_050, 8_000],
    [24_000, 8_000],
  ])("from %i to %i Hz does not depend on the pieces in which it arrives", (fromHz, toHz) => {
    const input = tone(700, fromHz);
    expect(convert(input, fromHz, toHz, 333)).toEqual(convert(input, fromHz, toHz));
    expect(convert(input, fromHz, toHz, 1)).toEqual(convert(input, fromHz, toHz));
  });

  it("of the same rate is a copy", () => {
    const input = tone(700, 8_000);
    const output = createRateConverter(8_000, 8_000).process(input);
    expect(output).toEqual(input);
    expect(output.buffer).not.toBe(input.buffer);
  });

  it("without a rate is a mistake", () => {
    expect(() => createRateConverter(0, 8_000)).toThrow("no audio has a rate of 0");
  });
});
