import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { samplesIn } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { readWav } from "@parley/audio/wav-reader";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRecorder, type Recorder } from "./recorder.ts";

let folder: string;
let recorder: Recorder;
const faults: unknown[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-recorder-"));
  recorder = openRecorder((error) => faults.push(error));
});
afterEach(async () => {
  await recorder.close();
  await rm(folder, { recursive: true });
  expect(faults.splice(0)).toEqual([]);
});

function openLine(sample: number) {
  const rings = { heard: createRing(), played: createRing() };
  return {
    rings,
    run(ms: number) {
      new RingWriter(rings.heard).write(new Int16Array(samplesIn(ms)).fill(sample));
      new RingWriter(rings.played).write(new Int16Array(samplesIn(ms)).fill(-sample));
    },
  };
}

test("calls that are recorded at the same time each get their own audio", async () => {
  const lines = [1, 2, 3].map(openLine);
  const recordings = lines.map(({ rings, run }, index) => {
    const recording = recorder.record({ path: join(folder, "day", `${index}.wav`), rings, fromPosition: 0 });
    run(1_500);
    return recording;
  });
  for (const recording of recordings) recording.finish();
  const outcomes = await Promise.all(recordings.map(({ outcome }) => outcome));
  expect(outcomes).toMatchObject(Array(3).fill({ durationMs: 1_500, gaps: [], trouble: null }));
  expect(outcomes.map(({ peaks }) => [peaks?.samplesPerPeak, peaks?.callee.length, peaks?.agent.length])).toEqual(
    Array(3).fill([160, 75, 75]),
  );
  for (const index of [0, 1, 2]) {
    const { channels } = readWav(await readFile(join(folder, "day", `${index}.wav`)));
    expect(channels.map((side) => [side.length, side[0], side.at(-1)])).toEqual([
      [12_000, index + 1, index + 1],
      [12_000, -index - 1, -index - 1],
    ]);
  }
});

test("a recording is not readable by other accounts of the machine", async () => {
  const line = openLine(1);
  const path = join(folder, "day", "call.wav");
  const recording = recorder.record({ path, rings: line.rings, fromPosition: 0 });
  line.run(100);
  recording.finish();
  await recording.outcome;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "day"))).mode & 0o777).toBe(0o700);
});

test("a folder that cannot be written to yields no recording and a reason, and others continue", async () => {
  await writeFile(join(folder, "day"), "a file where a folder should be");
  const line = openLine(1);
  const refused = recorder.record({ path: join(folder, "day", "call.wav"), rings: line.rings, fromPosition: 0 });
  const fine = recorder.record({ path: join(folder, "other", "call.wav"), rings: line.rings, fromPosition: 0 });
  expect(await refused.outcome).toMatchObject({ durationMs: 0, trouble: "A file with that name already exists." });
  refused.finish();
  line.run(200);
  fine.finish();
  expect(await fine.outcome).toMatchObject({ durationMs: 200, gaps: [], trouble: null });
});

test("an existing recording is never overwritten", async () => {
  const path = join(folder, "call.wav");
  await writeFile(path, "what was said");
  const recording = recorder.record({ path, rings: openLine(1).rings, fromPosition: 0 });
  expect(await recording.outcome).toMatchObject({ trouble: "A file with that name already exists." });
  expect(await readFile(path, "utf8")).toBe("what was said");
});

test("closing finishes current recordings", async () => {
  const line = openLine(1);
  const path = join(folder, "call.wav");
  const recording = recorder.record({ path, rings: line.rings, fromPosition: 0 });
  line.run(700);
  await recorder.close();
  expect(await recording.outcome).toMatchObject({ durationMs: 700, gaps: [], trouble: null });
  expect(readWav(await readFile(path)).channels[0]?.length).toBe(samplesIn(700));
});

test("a call without audio leaves no file", async () => {
  const path = join(folder, "call.wav");
  const recording = recorder.record({ path, rings: openLine(1).rings, fromPosition: 0 });
  recording.finish();
  expect(await recording.outcome).toMatchObject({ durationMs: 0, peaks: null });
  await expect(stat(path)).rejects.toThrow("ENOENT");
});
