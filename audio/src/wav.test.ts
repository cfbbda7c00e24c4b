import { describe, expect, it } from "vitest";
import { MemoryWavSink } from "./testing/memory-wav-sink.ts";
import { createRandom } from "./testing/random.ts";
import { repairWavHeader, WAV_HEADER_BYTES, wavHeader } from "./wav-header.ts";
import { readWav, WavFormatError } from "./wav-reader.ts";
import { WavWriter } from "./wav-writer.ts";

const random = createRandom(9);
const heard = Int16Array.from({ length: 1000 }, () => random.wholeBetween(-32_768, 32_767));
const played = Int16Array.from({ length: 1000 }, () => random.wholeBetween(-32_768, 32_767));

function writeStereo(patchEverySamples: number): MemoryWavSink {
  const sink = new MemoryWavSink();
  const writer = new WavWriter(sink, { sampleRateHz: 8000, channels: 2, patchEverySamples });
  for (let start = 0; start < 1000; start += 160) {
    writer.write(heard.subarray(start, start + 160), played.subarray(start, start + 160));
  }
  writer.close();
  return sink;
}

describe("a recording", () => {
  it("plays back what was said, each party in its own channel", () => {
    const sound = readWav(writeStereo(300).bytes);
    expect(sound.sampleRateHz).toBe(8000);
    expect(sound.channels).toEqual([heard, played]);
  });

  it("can be mono, and empty", () => {
    const sink = new MemoryWavSink();
    const writer = new WavWriter(sink, { sampleRateHz: 16_000, channels: 1 });
    expect(readWav(sink.bytes)).toEqual({ sampleRateHz: 16_000, channels: [new Int16Array(0)] });
    writer.write(heard);
    expect(writer.samples).toBe(1000);
    writer.close();
    writer.close();
    expect(readWav(sink.bytes)).toEqual({ sampleRateHz: 16_000, channels: [heard] });
    expect(() => writer.write(heard)).toThrow("closed");
  });

  it("that was cut off at any moment plays up to the last patch, and never declares audio that is missing", () => {
    const sink = writeStereo(100);
    expect(sink.states.length).toBeGreaterThan(30);
    let longest = 0;
    for (const state of sink.states) {
      const [left, right] = readWav(state).channels;
      const samples = left?.length ?? 0;
      expect(left).toEqual(heard.subarray(0, samples));
      expect(right).toEqual(played.subarray(0, samples));
      longest = Math.max(longest, samples);
      // At most the buffer of one patch is in the file and not yet declared.
      const inFile = (state.length - WAV_HEADER_BYTES) / 4;
      expect(inFile - samples).toBeLessThanOrEqual(100);
    }
    expect(longest).toBe(1000);
  });

  it("refuses channels that do not match, because they would drift apart", () => {
    const writer = new WavWriter(new MemoryWavSink(), { sampleRateHz: 8000, channels: 2 });
    expect(() => writer.write(heard)).toThrow(RangeError);
    expect(() => writer.write(heard, played.subarray(1))).toThrow(RangeError);
    const mono = new WavWriter(new MemoryWavSink(), { sampleRateHz: 8000, channels: 1 });
    expect(() => mono.write(heard, played)).toThrow(RangeError);
  });
});

describe("repairing what a crash left behind", () => {
  it("makes all whole samples of the file playable", () => {
    const whole = writeStereo(100).bytes;
    for (const length of [WAV_HEADER_BYTES, WAV_HEADER_BYTES + 3, 1000, 1001, 1002, whole.length]) {
      const file = whole.slice(0, length);
      file.set(wavHeader({ sampleRateHz: 8000, channels: 2 }, 40));
      const header = repairWavHeader(file.subarray(0, WAV_HEADER_BYTES), file.length);
      if (header) file.set(header);
      const samples = Math.floor((length - WAV_HEADER_BYTES) / 4);
      expect(readWav(file).channels[0]).toEqual(heard.subarray(0, samples));
    }
  });

  it("leaves a good file alone", () => {
    const { bytes } = writeStereo(100);
    expect(repairWavHeader(bytes.subarray(0, WAV_HEADER_BYTES), bytes.length)).toBeNull();
  });

  it("does not touch a file that is not one of our recordings", () => {
    expect(() => repairWavHeader(new Uint8Array(44), 100)).toThrow("not a recording of ours");
    expect(() => repairWavHeader(new Uint8Array(20), 100)).toThrow("incomplete");
    const foreign = wavHeader({ sampleRateHz: 8000, channels: 1 }, 0);
    foreign[34] = 24;
    expect(() => repairWavHeader(foreign, 100)).toThrow("not a recording of ours");
  });

  it("declares the maximum size for a file beyond four gigabytes", () => {
    const header = repairWavHeader(wavHeader({ sampleRateHz: 8000, channels: 1 }, 0), 2 ** 33);
    expect(new DataView(header?.buffer ?? new ArrayBuffer(44)).getUint32(4, true)).toBe(0xffff_ffff - 8);
  });
});

describe("reading files from other programs", () => {
  const samples = Int16Array.of(1, -2, 3);
  const sound = new Uint8Array(samples.buffer);
  const plainFormat = [1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0];

  function chunk(name: string, body: ArrayLike<number>, size = body.length): number[] {
    const sizeBytes = [size & 0xff, (size >> 8) & 0xff, (size >> 16) & 0xff, (size >> 24) & 0xff];
    return [...Array.from(name, (letter) => letter.charCodeAt(0)), ...sizeBytes, ...Array.from(body)];
  }

  function file(...chunks: number[][]): Uint8Array {
    return Uint8Array.from([
      ...chunk("RIFF", []),
      ...Array.from("WAVE", (letter) => letter.charCodeAt(0)),
      ...chunks.flat(),
    ]);
  }

  it("skips chunks other than audio, including those of odd length", () => {
    const odd = [...chunk("LIST", [1, 2, 3]), 0];
    expect(readWav(file(odd, chunk("fmt ", plainFormat), odd, chunk("data", sound))).channels).toEqual([samples]);
  });

  it("accepts the extended description of plain PCM", () => {
    const extended = [0xfe, 0xff, ...plainFormat.slice(2), 22, 0, 16, 0, 4, 0, 0, 0, 1, 0, ...new Array(14).fill(0)];
    expect(readWav(file(chunk("fmt ", extended), chunk("data", sound))).channels).toEqual([samples]);
  });

  it("accepts a stream whose length was not known when it began", () => {
    expect(readWav(file(chunk("fmt ", plainFormat), chunk("data", sound, -1))).channels).toEqual([samples]);
  });

  it("reads from the middle of a larger buffer", () => {
    const bytes = file(chunk("fmt ", plainFormat), chunk("data", sound));
    const larger = new Uint8Array(bytes.length + 7);
    larger.set(bytes, 7);
    expect(readWav(larger.subarray(7)).channels).toEqual([samples]);
  });

  it.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(0), "not a WAV file"],
    ["text", new TextEncoder().encode("ID3 this is something else"), "not a WAV file"],
    ["no description", file(chunk("data", sound)), "before it says in which format"],
    ["no parts at all", file(), "does not say its format"],
    ["no sound", file(chunk("fmt ", plainFormat)), "has no sound"],
    ["a short description", file(chunk("fmt ", [1, 0])), "too short"],
    ["mu-law", file(chunk("fmt ", [7, 0, ...plainFormat.slice(2)])), "16-bit PCM; it has format 7"],
    ["three channels", file(chunk("fmt ", [1, 0, 3, ...plainFormat.slice(3)])), "it has 3"],
    ["no rate", file(chunk("fmt ", [1, 0, 1, 0, 0, 0, 0, 0, ...plainFormat.slice(8)])), "impossible sample rate"],
    ["a missing end", file(chunk("fmt ", plainFormat), chunk("data", sound, 8)), 'in the middle of its part "data"'],
  ])("says in words what is wrong with a file of %s", (_, bytes, words) => {
    expect(() => readWav(bytes)).toThrow(WavFormatError);
    expect(() => readWav(bytes)).toThrow(words);
  });
});
