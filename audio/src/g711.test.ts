import { describe, expect, it } from "vitest";
import { ALAW_SILENCE, decodeAlaw, decodeMulaw, encodeAlaw, encodeMulaw, MULAW_SILENCE } from "./g711.ts";

const ALL_SAMPLES = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
const ALL_CODES = Uint8Array.from({ length: 256 }, (_, code) => code);

/**
 * The decision values of G.711 tables 1 and 2, written down as the standard does: how many intervals of which width
 * follow each other, in units of its uniform PCM.
 */
function decisionValues(runs: readonly { intervals: number; width: number }[]): number[] {
  const values = [0];
  for (const { intervals, width } of runs) {
    for (let interval = 0; interval < intervals; interval++) values.push((values.at(-1) ?? 0) + width);
  }
  return values;
}

/** Table 2: a first interval of 1, fifteen of 2, then seven segments of sixteen that double from 4 to 256; ends at 8159. */
const MULAW_DECISIONS = decisionValues([
  { intervals: 1, width: 1 },
  { intervals: 15, width: 2 },
  ...[4, 8, 16, 32, 64, 128, 256].map((width) => ({ intervals: 16, width })),
]);

/** Table 1: thirty-two intervals of 2, then six segments of sixteen that double from 4 to 128; ends at 4096. */
const ALAW_DECISIONS = decisionValues([
  { intervals: 32, width: 2 },
  ...[4, 8, 16, 32, 64, 128].map((width) => ({ intervals: 16, width })),
]);

/** The interval a magnitude falls into: at or above its lower decision value, below its upper one. */
function intervalOf(decisions: readonly number[], magnitude: number): number {
  let interval = 0;
  while (interval < 127 && magnitude >= (decisions[interval + 1] ?? 0)) interval += 1;
  return interval;
}

function middleOf(decisions: readonly number[], interval: number): number {
  return ((decisions[interval] ?? 0) + (decisions[interval + 1] ?? 0)) / 2;
}

/** G.191 `ulaw_compress` and `alaw_compress`: drop the low bits of the one's-complement magnitude, then look it up. */
function referenceMulaw(sample: number): number {
  const magnitude = Math.floor((sample < 0 ? -sample - 1 : sample) / 4);
  const interval = intervalOf(MULAW_DECISIONS, magnitude);
  return (sample < 0 ? 0x7f : 0xff) - interval;
}

function referenceAlaw(sample: number): number {
  const magnitude = 2 * Math.floor((sample < 0 ? -sample - 1 : sample) / 16);
  const interval = intervalOf(ALAW_DECISIONS, magnitude);
  return ((sample < 0 ? 0x00 : 0x80) + interval) ^ 0x55;
}

describe("mu-law", () => {
  it("has the decision values of the standard", () => {
    expect(MULAW_DECISIONS).toHaveLength(129);
    expect([1, 16, 32, 48, 64, 80, 96, 112, 128].map((n) => MULAW_DECISIONS[n])).toEqual([
      1, 31, 95, 223, 479, 991, 2015, 4063, 8159,
    ]);
  });

  it("decodes each of the 256 codes to the value in the standard's table", () => {
    const decoded = new Int16Array(256);
    decodeMulaw(ALL_CODES, decoded);
    for (let interval = 0; interval < 128; interval++) {
      // The table gives 0 for the first interval, whose edges are -1 and +1 when both polarities are seen together.
      const value = interval === 0 ? 0 : 4 * middleOf(MULAW_DECISIONS, interval);
      expect(decoded[0xff - interval]).toBe(value);
      expect(decoded[0x7f - interval]).toBe(-value + 0);
    }
    expect(decoded[0x80]).toBe(32_124);
    expect(decoded[0x00]).toBe(-32_124);
  });

  it("encodes each of the 65,536 samples as the standard's reference does", () => {
    const codes = new Uint8Array(65_536);
    encodeMulaw(ALL_SAMPLES, codes);
    expect(codes).toEqual(Uint8Array.from(ALL_SAMPLES, referenceMulaw));
  });

  it("returns every code unchanged after decoding and encoding, except the negative zero, which becomes silence", () => {
    const decoded = new Int16Array(256);
    const again = new Uint8Array(256);
    decodeMulaw(ALL_CODES, decoded);
    encodeMulaw(decoded, again);
    expect(again).toEqual(Uint8Array.from(ALL_CODES, (code) => (code === 0x7f ? 0xff : code)));
  });

  it("sends silence for a sample of zero", () => {
    const code = new Uint8Array(1);
    encodeMulaw(Int16Array.of(0), code);
    expect(code[0]).toBe(MULAW_SILENCE);
  });
});

describe("A-law", () => {
  it("has the decision values of the standard", () => {
    expect(ALAW_DECISIONS).toHaveLength(129);
    expect([16, 32, 48, 64, 80, 96, 112, 128].map((n) => ALAW_DECISIONS[n])).toEqual([
      32, 64, 128, 256, 512, 1024, 2048, 4096,
    ]);
  });

  it("decodes each of the 256 codes to the value in the standard's table", () => {
    const decoded = new Int16Array(256);
    decodeAlaw(ALL_CODES, decoded);
    for (let interval = 0; interval < 128; interval++) {
      const value = 8 * middleOf(ALAW_DECISIONS, interval);
      expect(decoded[(0x80 + interval) ^ 0x55]).toBe(value);
      expect(decoded[interval ^ 0x55]).toBe(-value);
    }
    expect(decoded[0xaa]).toBe(32_256);
    expect(decoded[0xd5]).toBe(8);
  });

  it("encodes each of the 65,536 samples as the standard's reference does", () => {
    const codes = new Uint8Array(65_536);
    encodeAlaw(ALL_SAMPLES, codes);
    expect(codes).toEqual(Uint8Array.from(ALL_SAMPLES, referenceAlaw));
  });

  it("returns every code unchanged after decoding and encoding", () => {
    const decoded = new Int16Array(256);
    const again = new Uint8Array(256);
    decodeAlaw(ALL_CODES, decoded);
    encodeAlaw(decoded, again);
    expect(again).toEqual(ALL_CODES);
  });

  it("sends silence for a sample of zero", () => {
    const code = new Uint8Array(1);
    encodeAlaw(Int16Array.of(0), code);
    expect(code[0]).toBe(ALAW_SILENCE);
  });
});

describe("both laws", () => {
  it("mirror the two polarities, so that a coded tone has no offset", () => {
    for (const [encode, mirror] of [[encodeMulaw, 0x80] as const, [encodeAlaw, 0x80] as const]) {
      const codes = new Uint8Array(65_536);
      encode(ALL_SAMPLES, codes);
      for (let sample = 0; sample < 32_768; sample++) {
        expect((codes[32_768 + sample] ?? 0) ^ (codes[32_767 - sample] ?? 0)).toBe(mirror);
      }
    }
  });

  it("work in place inside a packet, and refuse a packet that is too short", () => {
    const packet = new Uint8Array(4).fill(1);
    encodeMulaw(Int16Array.of(0, 0), packet, 2);
    expect([...packet]).toEqual([1, 1, 0xff, 0xff]);
    const heard = new Int16Array(2).fill(9);
    decodeMulaw(packet, heard, 2);
    expect([...heard]).toEqual([0, 0]);
    decodeAlaw(packet, heard, 3, 1);
    expect(heard[0]).toBe(848);
    expect(() => encodeAlaw(new Int16Array(3), packet, 2)).toThrow(RangeError);
    expect(() => decodeMulaw(packet, heard)).toThrow(RangeError);
    expect(() => decodeAlaw(packet, heard, 3, 2)).toThrow(RangeError);
  });
});
