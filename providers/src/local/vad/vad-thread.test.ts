import { samplesIn } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import type { ActivityWindow } from "@parley/voice/ports/voice-activity-detector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectVad } from "./connect-vad.ts";
import { startVadThread, type VadThread } from "./vad-thread.ts";

const SPEECH_LIKELY = 0.5;
let thread: VadThread;
const failures: string[] = [];

beforeAll(async () => {
  thread = await startVadThread({ onFailure: (reason) => failures.push(reason) });
});

afterAll(async () => {
  await thread.stop();
  expect(failures).toEqual([]);
});

/** Writes sound into a ring and gives what the detector says of it, window by window. */
async function judge(sound: Int16Array): Promise<readonly ActivityWindow[]> {
  const detector = connectVad(thread.connect());
  const heard = createRing(Math.max(sound.length + 1_600, 32_000));
  const expected = Math.floor(sound.length / detector.windowSamples);
  const windows: ActivityWindow[] = [];
  const done = new Promise<void>((resolve) => {
    detector.watch(heard, (some) => {
      windows.push(...some);
      if (windows.length >= expected) resolve();
    });
  });
  // The ring is followed from the moment it is watched, so that the watch has to arrive first.
  await new Promise((resolve) => setImmediate(resolve));
  const writer = new RingWriter(heard);
  const feed = setInterval(() => {
    const start = writer.position;
    if (start < sound.length) writer.write(sound.subarray(start, start + 1_600));
  }, 5);
  await done;
  clearInterval(feed);
  await detector.close();
  return windows;
}

function noise(durationMs: number, loudness: number): Int16Array {
  let seed = 1;
  return Int16Array.from({ length: samplesIn(durationMs) }, () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return (seed / 0x7fff_ffff - 0.5) * 2 * loudness;
  });
}

describe("telling speech from other sound", () => {
  it("takes silence, line noise and a dial tone for what they are", async () => {
    const tone = Int16Array.from(
      { length: samplesIn(2_000) },
      (_, index) => 8_000 * Math.sin((index / 8_000) * 2 * Math.PI * 440),
    );
    for (const sound of [new Int16Array(samplesIn(1_000)), noise(2_000, 600), tone]) {
      const windows = await judge(sound);
      expect(windows.filter(({ probability }) => probability > SPEECH_LIKELY).length).toBeLessThanOrEqual(1);
    }
  });

  it("reports every window once and in order", async () => {
    const windows = await judge(noise(3_000, 300));
    const positions = windows.map(({ endPosition }) => endPosition);
    expect(positions).toEqual(positions.map((_, index) => (positions[0] ?? 0) + index * 256));
  });
});
