import { samplesIn } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { MemoryWavSink } from "@parley/audio/testing/memory-wav-sink";
import { readWav } from "@parley/audio/wav-reader";
import { expect, test } from "vitest";
import { LineRecorder } from "./line-recorder.ts";

function openLine() {
  const rings = { heard: createRing(), played: createRing() };
  const heard = new RingWriter(rings.heard);
  const played = new RingWriter(rings.played);
  let position = 0;
  return {
    rings,
    /** Writes this many milliseconds, in which each sample encodes its position. */
    run(ms: number) {
      const samples = Int16Array.from({ length: samplesIn(ms) }, (_, index) => (position + index) % 30_000);
      heard.write(samples);
      played.write(samples.map((sample) => -sample));
      position += samples.length;
    },
    lag: (samples: Int16Array) => heard.write(samples),
  };
}

test("the callee is on the left and the agent on the right, from the requested moment", () => {
  const line = openLine();
  line.run(1_000);
  const sink = new MemoryWavSink();
  const recorder = new LineRecorder(line.rings, samplesIn(600), sink);
  line.run(700);
  recorder.advance();
  line.run(300);
  recorder.close();
  const { sampleRateHz, channels } = readWav(sink.bytes);
  expect(sampleRateHz).toBe(8_000);
  expect(channels[0]).toEqual(Int16Array.from({ length: samplesIn(1_400) }, (_, index) => samplesIn(600) + index));
  expect(channels[1]).toEqual(channels[0]?.map((sample) => -sample));
});

test("both sides stay in step when one ring is a frame ahead of the other", () => {
  const line = openLine();
  const sink = new MemoryWavSink();
  const recorder = new LineRecorder(line.rings, 0, sink);
  line.run(100);
  line.lag(new Int16Array(160));
  recorder.close();
  expect(readWav(sink.bytes).channels.map(({ length }) => length)).toEqual([800, 800]);
});

test("audio that was overwritten unread becomes silence of the same length, and the rest stays in place", () => {
  const line = openLine();
  const sink = new MemoryWavSink();
  const recorder = new LineRecorder(line.rings, 0, sink);
  line.run(10_000);
  recorder.advance();
  line.run(1_000);
  recorder.close();
  const [left = new Int16Array()] = readWav(sink.bytes).channels;
  expect(left.length).toBe(samplesIn(11_000));
  const [gap] = recorder.gaps;
  expect(recorder.gaps).toEqual([{ start: 0, end: expect.any(Number) }]);
  expect(gap?.end).toBeGreaterThan(0);
  expect(left[0]).toBe(0);
  const last = samplesIn(11_000) - 1;
  expect(left[last]).toBe(last % 30_000);
  const lost = left.subarray(1, gap?.end).some((sample) => sample !== 0);
  expect(lost).toBe(false);
});

test("a file that is cut off by a crash plays to within a second of it", () => {
  const line = openLine();
  const sink = new MemoryWavSink();
  const recorder = new LineRecorder(line.rings, 0, sink);
  for (let second = 0; second < 5; second++) {
    line.run(1_000);
    recorder.advance();
  }
  line.run(900);
  recorder.advance();
  const [left = new Int16Array()] = readWav(sink.bytes).channels;
  expect(left.length).toBe(samplesIn(5_500));
});

test("the waveform of a player matches the level of each side and ends where the file was cut", () => {
  const rings = { heard: createRing(), played: createRing() };
  const recorder = new LineRecorder(rings, 0, new MemoryWavSink());
  new RingWriter(rings.heard).write(new Int16Array(samplesIn(200)).fill(12_800));
  new RingWriter(rings.played).write(new Int16Array(samplesIn(200)).fill(-1_280));
  recorder.close();
  const { samplesPerPeak, callee, agent } = recorder.peaks(samplesIn(100));
  expect(samplesPerPeak).toBe(samplesIn(20));
  expect([[...callee], [...agent]]).toEqual([Array(5).fill(100), Array(5).fill(10)]);
});
