import { ClipStore } from "@parley/audio/clip-store";
import { FRAME_SAMPLES } from "@parley/audio/frame";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import { describe, expect, it } from "vitest";
import { TryLine } from "./hold-try.ts";

const loud = (samples: number, value = 1000) => {
  const bytes = Buffer.alloc(samples * 2);
  for (let index = 0; index < samples; index += 1) bytes.writeInt16LE(value, index * 2);
  return bytes;
};

describe("the line of a member who tries an agent with a microphone", () => {
  it("writes both sides in step, in silence until there is audio", () => {
    const line = new TryLine(8000);
    const heard = new RingReader(line.media.heard, 0);
    const played = new RingReader(line.media.played, 0);
    expect(line.tick()).toEqual(Buffer.alloc(FRAME_SAMPLES * 2));
    expect([heard.writtenPosition, played.writtenPosition]).toEqual([FRAME_SAMPLES, FRAME_SAMPLES]);
  });

  it("plays the microphone audio once a little of it is buffered, and loses none of it", () => {
    const line = new TryLine(8000);
    const reader = new RingReader(line.media.heard, 0);
    line.hear(loud(FRAME_SAMPLES));
    line.tick();
    line.hear(loud(2 * FRAME_SAMPLES));
    for (let count = 0; count < 4; count += 1) line.tick();
    const samples = new Int16Array(5 * FRAME_SAMPLES);
    reader.read(samples);
    expect(samples.filter((sample) => sample === 1000)).toHaveLength(3 * FRAME_SAMPLES);
    expect(samples[0]).toBe(0);
  });

  it("takes a microphone of another rate", () => {
    const line = new TryLine(48_000);
    const reader = new RingReader(line.media.heard, 0);
    line.hear(loud(48_000 / 5));
    for (let count = 0; count < 10; count += 1) line.tick();
    const samples = new Int16Array(10 * FRAME_SAMPLES);
    reader.read(samples);
    expect(samples.filter((sample) => Math.abs(sample - 1000) < 20).length).toBeGreaterThan(8 * FRAME_SAMPLES);
  });

  it("does not fall behind a microphone that sends more than time has passed", () => {
    const line = new TryLine(8000);
    line.hear(loud(80_000, 1));
    line.hear(loud(FRAME_SAMPLES, 2000));
    const reader = new RingReader(line.media.heard, 0);
    for (let count = 0; count < 31; count += 1) line.tick();
    const samples = new Int16Array(31 * FRAME_SAMPLES);
    reader.read(samples);
    expect(samples.some((sample) => sample === 2000)).toBe(true);
  });

  it("plays what the agent says, as bytes for a loudspeaker", () => {
    const line = new TryLine(8000);
    const { playout } = line.media;
    const offset = new ClipStore(playout).put(new Int16Array(FRAME_SAMPLES).fill(700));
    new PlayoutQueue(playout).enqueue(1, offset ?? 0, FRAME_SAMPLES);
    expect(line.tick().readInt16LE(100)).toBe(700);
    expect(line.tick().readInt16LE(100)).toBe(0);
  });

  it("is silent when it was closed", () => {
    const line = new TryLine(8000);
    line.close();
    expect(line.tick()).toHaveLength(0);
    expect(new RingReader(line.media.heard, 0).isEnded).toBe(true);
  });
});
