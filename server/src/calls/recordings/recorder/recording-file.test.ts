import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { samplesIn } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { expect, test } from "vitest";
import { DiskQueue, openRecording } from "./recording-file.ts";

test("a line that continues while its file is being finished harms no recording", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-recording-"));
  const rings = { heard: createRing(), played: createRing() };
  const heard = new RingWriter(rings.heard);
  const played = new RingWriter(rings.played);
  const run = (ms: number) => {
    heard.write(new Int16Array(samplesIn(ms)).fill(5));
    played.write(new Int16Array(samplesIn(ms)).fill(6));
  };
  const recording = await openRecording(join(folder, "call.wav"), rings, 0, new DiskQueue());
  run(1_000);
  const finished = recording.finish();
  run(500);
  expect(() => recording.advance()).not.toThrow();
  expect(await finished).toMatchObject({ durationMs: 1_000, gaps: [], trouble: null });
  await rm(folder, { recursive: true });
});
