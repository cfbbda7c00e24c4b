import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { samplesIn } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { readWav } from "@parley/audio/wav-reader";
import { afterAll, expect, test } from "vitest";
import { DiskQueue, openRecording } from "./recording-file.ts";
import { openRefusingDisk, openSmallDisks, type SmallDisk } from "./testing/small-disk.ts";

/** Two seconds of a call. */
const ROOM_BYTES = 64 * 1024;
const disks = await openSmallDisks(ROOM_BYTES);
afterAll(async () => {
  for (const disk of disks) await disk.remove();
});

async function record(disk: SmallDisk, name: string, seconds: number) {
  const rings = { heard: createRing(), played: createRing() };
  const [heard, played] = [new RingWriter(rings.heard), new RingWriter(rings.played)];
  const path = join(disk.folder, name);
  const recording = await openRecording(path, rings, 0, new DiskQueue(), disk.create ?? undefined);
  for (let second = 0; second < seconds; second++) {
    heard.write(new Int16Array(samplesIn(1_000)).fill(12_800));
    played.write(new Int16Array(samplesIn(1_000)).fill(-12_800));
    recording.advance();
  }
  return { path, outcome: await recording.finish() };
}

test.each(disks)("a disk that fills up ($kind) leaves a playable partial recording and a reason", async (disk) => {
  const { path, outcome } = await record(disk, "first.wav", 4);
  expect(outcome.trouble).toBe("There is no space left on the disk.");
  expect(outcome.durationMs).toBeGreaterThan(500);
  expect(outcome.durationMs).toBeLessThan(2_500);
  const { channels } = readWav(await readFile(path));
  expect(channels.map(({ length }) => length)).toEqual(Array(2).fill(samplesIn(outcome.durationMs)));
  expect(outcome.peaks?.callee.every((peak) => peak === 100)).toBe(true);
  expect(outcome.peaks?.agent).toHaveLength(Math.ceil(samplesIn(outcome.durationMs) / 160));
});

test.each(disks)("a disk that was full before the call ($kind) yields no recording and a reason", async (disk) => {
  await record(disk, "filler.wav", 4);
  const full = disk.create === null ? disk : await openRefusingDisk(0);
  const { outcome } = await record(full, "second.wav", 1);
  if (full !== disk) await full.remove();
  const trouble = "There is no space left on the disk.";
  expect(outcome).toEqual({ durationMs: 0, gaps: [], trouble, peaks: null });
});
