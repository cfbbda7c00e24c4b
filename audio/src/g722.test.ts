import { describe, expect, it } from "vitest";
import { G722Decoder, G722Encoder } from "./g722.ts";
import { createSeededRandom } from "./seeded-random.ts";
import vectors from "./testing/g722-vectors.json" with { type: "json" };
import { fromLowerBand, lowerBandOf } from "./testing/qmf.ts";

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
const samplesOf = (base64: string) => new Int16Array(bytesOf(base64).buffer);

function encode(samples: Int16Array): Uint8Array {
  const codes = new Uint8Array(samples.length);
  new G722Encoder().encode(samples, codes);
  return codes;
}

function decode(codes: Uint8Array): Int16Array {
  const samples = new Int16Array(codes.length);
  new G722Decoder().decode(codes, samples);
  return samples;
}

/** In decibels. */
function signalToNoise(signal: Int16Array, decoded: Int16Array, from = 0): number {
  let power = 0;
  let noise = 0;
  for (let index = from; index < signal.length; index++) {
    power += (signal[index] ?? 0) ** 2;
    noise += ((signal[index] ?? 0) - (decoded[index] ?? 0)) ** 2;
  }
  return 10 * Math.log10(power / noise);
}

function tone(hz: number, amplitude: number, samples = 8_000): Int16Array {
  return Int16Array.from({ length: samples }, (_, index) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hz * index) / 8_000)),
  );
}

describe("G.722 against ffmpeg", () => {
  it("codes the lower band bit for bit as ffmpeg does", () => {
    const theirs = bytesOf(vectors.wideEncoded).map((code) => code & 0x3f);
    // Our encoder takes audio at its full gain; the filter leaves half of it.
    const ours = encode(lowerBandOf(samplesOf(vectors.wide)).map((sample) => sample << 1));
    expect(ours.map((code) => code & 0x3f)).toEqual(theirs);
  });

  it("decodes to the sample what ffmpeg decodes, once the filter has joined the bands", () => {
    const theirs = samplesOf(vectors.ourCodesDecoded);
    const ours = fromLowerBand(decode(bytesOf(vectors.ourCodes)).map((sample) => sample >> 1));
    // The silent upper band of ffmpeg's decoder starts with a few steps that are not zero.
    const settled = 64;
    expect(ours.subarray(settled)).toEqual(theirs.subarray(settled));
  });

  it("still makes the stored codes", () => {
    expect(encode(samplesOf(vectors.narrow))).toEqual(bytesOf(vectors.ourCodes));
  });

  it("understands ffmpeg's wideband stream: what is below 4 kHz arrives", () => {
    const decoded = decode(bytesOf(vectors.wideEncoded));
    const sent = lowerBandOf(samplesOf(vectors.wide)).map((sample) => sample << 1);
    // Without the last third, which is louder than can be coded.
    expect(signalToNoise(sent.subarray(0, 1_600), decoded)).toBeGreaterThan(20);
  });
});

describe("G.722", () => {
  it.each([
    [300, 35],
    [1_000, 30],
    [3_000, 25],
  ])("keeps a tone of %i Hz with a signal-to-noise ratio of at least %i dB", (hz, leastDb) => {
    const signal = tone(hz, 8_000);
    expect(signalToNoise(signal, decode(encode(signal)), 800)).toBeGreaterThan(leastDb);
  });

  it("keeps silence silent", () => {
    expect(decode(encode(new Int16Array(1_600))).every((sample) => Math.abs(sample) <= 4)).toBe(true);
  });

  it("overflows at no input", () => {
    const random = createSeededRandom(1);
    const harsh = Int16Array.from({ length: 8_000 }, () => (random() < 0.5 ? -32_768 : 32_767));
    expect(decode(encode(harsh)).some((sample) => sample > 16_000)).toBe(true);
    const noise = Uint8Array.from({ length: 8_000 }, () => Math.floor(random() * 256));
    expect(decode(noise)).toHaveLength(8_000);
  });

  it("recovers from lost audio", () => {
    const signal = tone(500, 8_000);
    const codes = encode(signal);
    const decoder = new G722Decoder();
    const out = new Int16Array(8_000);
    decoder.decode(codes.subarray(0, 3_200), out);
    const rest = new Int16Array(4_640);
    decoder.decode(codes.subarray(3_360), rest);
    expect(signalToNoise(signal.subarray(3_360), rest, 800)).toBeGreaterThan(30);
  });

  it("refuses output that is too small", () => {
    expect(() => new G722Encoder().encode(new Int16Array(2), new Uint8Array(1))).toThrow(RangeError);
    expect(() => new G722Decoder().decode(new Uint8Array(2), new Int16Array(1))).toThrow(RangeError);
  });
});
