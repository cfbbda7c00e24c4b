import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ClipFolder, type ClipFolderOptions } from "./clip-folder.ts";

const HOUR_MS = 3_600_000;
let folder: string;
let nowMs: number;
let troubles: unknown[];

function open(options: Partial<ClipFolderOptions> = {}): ClipFolder {
  return new ClipFolder({
    folder: join(folder, "clips"),
    sampleRateHz: 8_000,
    bytesMax: 1_000_000,
    nowMs: () => nowMs,
    onTrouble: (error) => troubles.push(error),
    ...options,
  });
}

const clipOf = (length: number) => Int16Array.from({ length }, (_, index) => index * 7 - 300);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "clips-"));
  nowMs = Date.now();
  troubles = [];
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

test("a clip is the same after a restart", async () => {
  expect(await open().write("abc", clipOf(500))).toBe(true);
  const reopened = open();
  expect(reopened.has("abc")).toBe(false);
  await reopened.refresh();
  expect(reopened.has("abc")).toBe(true);
  expect(await reopened.read("abc")).toEqual(clipOf(500));
});

test("a clip of another process is found on refresh, and an empty folder is fine", async () => {
  const [writer, reader] = [open(), open()];
  await reader.refresh();
  expect(await reader.read("abc")).toBeNull();
  await writer.write("abc", clipOf(3));
  await reader.refresh();
  expect(reader.has("abc")).toBe(true);
  expect(troubles).toEqual([]);
});

test("nothing half-written is ever visible, and what a crash left is removed", async () => {
  const path = join(folder, "clips");
  const clips = open();
  await clips.write("abc", clipOf(10));
  expect(await readdir(path)).toEqual(["abc.clip"]);
  await writeFile(join(path, "old.1.part"), "x");
  await writeFile(join(path, "new.1.part"), "x");
  await utimes(join(path, "old.1.part"), (nowMs - 2 * HOUR_MS) / 1000, (nowMs - 2 * HOUR_MS) / 1000);
  const reopened = open();
  await reopened.refresh();
  expect(reopened.has("old.1")).toBe(false);
  await reopened.write("def", clipOf(10));
  expect((await readdir(path)).sort()).toEqual(["abc.clip", "def.clip", "new.1.part"]);
});

test.each([
  ["cut short", (path: string) => truncate(path, 60)],
  ["empty", (path: string) => truncate(path, 0)],
  [
    "changed in one bit",
    async (path: string) => {
      const bytes = await readFile(path);
      bytes.writeUInt8(bytes.readUInt8(99) ^ 1, 99);
      await writeFile(path, bytes);
    },
  ],
  ["something else", (path: string) => writeFile(path, "hello ".repeat(100))],
])("a file that is %s is removed and counts as not there", async (_, damage) => {
  const clips = open();
  await clips.write("abc", clipOf(100));
  await damage(join(folder, "clips", "abc.clip"));
  expect(await clips.read("abc")).toBeNull();
  expect(clips.has("abc")).toBe(false);
  expect(await readdir(join(folder, "clips"))).toEqual([]);
});

test("a clip at another rate is not played at the wrong speed", async () => {
  await open({ sampleRateHz: 16_000 }).write("abc", clipOf(100));
  expect(await open().read("abc")).toBeNull();
});

test("when the folder is full, the least recently used clips are removed first", async () => {
  const clips = open({ bytesMax: 4_000 });
  for (const key of ["a", "b", "c"]) {
    await clips.write(key, clipOf(500));
    nowMs += HOUR_MS;
  }
  expect(await clips.read("a")).not.toBeNull();
  await clips.write("d", clipOf(500));
  expect((await readdir(join(folder, "clips"))).sort()).toEqual(["a.clip", "c.clip", "d.clip"]);
  expect(clips.has("b")).toBe(false);
});

test("a folder that cannot be written loses the clip and nothing else", async () => {
  await writeFile(join(folder, "clips"), "a file where a folder should be");
  const clips = open();
  expect(await clips.write("abc", clipOf(10))).toBe(false);
  expect(await clips.read("abc")).toBeNull();
  expect(troubles.length).toBeGreaterThan(0);
});
