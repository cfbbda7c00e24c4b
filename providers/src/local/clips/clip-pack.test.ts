import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ClipPack, writeClipPack } from "./clip-pack.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pack-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** A vowel-like tone that swells and fades. */
const soundOf = (length: number) =>
  Int16Array.from({ length }, (_, at) => {
    const swell = Math.sin((Math.PI * at) / length);
    return Math.round(swell * (6_000 * Math.sin(at * 0.13) + 3_000 * Math.sin(at * 0.39) + 900 * Math.sin(at * 1.1)));
  });

function noiseDb(sound: Int16Array, heard: Int16Array): number {
  const power = (of: (at: number) => number) => sound.reduce((sum, _, at) => sum + of(at) ** 2, 0);
  return 10 * Math.log10(power((at) => sound[at] ?? 0) / power((at) => (sound[at] ?? 0) - (heard[at] ?? 0)));
}

test("every clip of a pack is found by its key, and no other", async () => {
  const path = join(folder, "clips.pack");
  const clips = new Map([
    ["one", soundOf(1_001)],
    ["two", soundOf(333)],
  ]);
  await writeClipPack(path, clips);
  const pack = await ClipPack.open(path);
  expect(pack.keys).toEqual(["one", "two"]);
  for (const [key, sound] of clips) {
    expect(pack.has(key)).toBe(true);
    const heard = await pack.read(key);
    expect(heard && noiseDb(sound, heard)).toBeGreaterThan(30);
  }
  expect(pack.has("three")).toBe(false);
  expect(await pack.read("three")).toBeNull();
});

test("a truncated or foreign file is refused", async () => {
  const path = join(folder, "clips.pack");
  await writeClipPack(path, new Map([["one", soundOf(1_000)]]));
  await writeFile(path, (await readFile(path)).subarray(0, -1));
  await expect(ClipPack.open(path)).rejects.toThrow();
  await writeFile(path, "something else entirely");
  await expect(ClipPack.open(path)).rejects.toThrow();
});
