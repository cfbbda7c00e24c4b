import { mkdir, mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { samplesIn } from "@parley/audio/frame";
import { wavHeader } from "@parley/audio/wav-header";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { createLocalRecordingStore, recordingPath } from "../../calls/recordings/recording-storage.ts";
import { run } from "../database/database.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { checkRecordings } from "./check-recordings.ts";
import { type SeededCalls, seedCalls } from "./testing/seed-calls.ts";

const LENGTH_MS = 3_000;
let t: TestDatabase;
let seeded: SeededCalls;
let folder: string;
let path: string;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  seeded = await seedCalls(t.db);
});
afterAll(() => t.close());

/** One call with a recording of three seconds. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-check-"));
  path = await pathOf(seeded.completed);
  const bytes = samplesIn(LENGTH_MS) * 4;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.concat([wavHeader({ sampleRateHz: 8_000, channels: 2 }, bytes), Buffer.alloc(bytes)]));
  await setRecording(seeded.completed, { status: "ready", durationMs: LENGTH_MS, partial: false, reason: null });
  return () => rm(folder, { recursive: true });
});

async function pathOf(id: string): Promise<string> {
  const [row] = await run<{ id: string; created_at: Date }>(t.db, "select id, created_at from calls where id = $1", [
    id,
  ]);
  if (!row) throw new Error("there is no such call");
  return recordingPath(folder, row);
}

const setRecording = (id: string, recording: object | null, erasedAgo: string | null = null) =>
  run(t.db, "update calls set recording = $2, recording_erased_at = now() - $3::interval where id = $1", [
    id,
    recording && JSON.stringify(recording),
    erasedAgo,
  ]);

async function check(mayBeElsewhere = false): Promise<string[]> {
  const results = await checkRecordings({
    db: t.db,
    folder,
    sources: [createLocalRecordingStore(folder)],
    mayBeElsewhere,
  });
  return results.flatMap(({ name, violations }) =>
    violations.map(({ subject, detail }) => `${name}: ${subject} ${detail}`),
  );
}

test("recordings in a slow store are looked at several at a time", async () => {
  const own = await createTestDatabase(inject("postgresUrl"));
  try {
    const { completed } = await seedCalls(own.db);
    await run(own.db, "update calls set recording = $1 where state = 'ended'", [
      JSON.stringify({ status: "ready", durationMs: 0 }),
    ]);
    const [{ n: recorded = 0 } = {}] = await run<{ n: number }>(
      own.db,
      "select count(*)::int as n from calls where state = 'ended'",
    );
    const opened: string[] = [];
    const { promise: allOpened, resolve: release } = Promise.withResolvers<null>();
    const slow = {
      open({ id }: { id: string }) {
        opened.push(id);
        // None is answered before all were asked for.
        if (opened.length === recorded) release(null);
        return allOpened;
      },
    };
    const [missing] = await checkRecordings({ db: own.db, folder, sources: [slow], mayBeElsewhere: false });
    expect([recorded > 1, missing?.total, opened.includes(completed)]).toEqual([true, recorded, true]);
  } finally {
    await own.close();
  }
});

test("a playable recording is fine, and so is a missing folder", async () => {
  expect(await check()).toEqual([]);
  await setRecording(seeded.completed, null);
  await rm(folder, { recursive: true });
  expect(await check()).toEqual([]);
  await mkdir(folder);
});

describe("problems with recordings are named", () => {
  const named = (name: string, detail: string) => [`${name}: ${seeded.completed} ${detail}`];

  test("when the file is gone, unless it may lie on another machine", async () => {
    await rm(path);
    expect(await check()).toEqual(named("recordings_are_there", "has no recording where it should lie"));
    expect(await check(true)).toEqual([]);
  });

  test("when the header names another length than the file has", async () => {
    await truncate(path, 44 + samplesIn(2_500) * 4);
    expect(await check()).toEqual(
      named("recordings_are_playable", "has a recording whose header names another length"),
    );
  });

  test("when it is not our audio format, or is empty", async () => {
    const bytes = await readFile(path);
    await writeFile(path, Buffer.from(bytes).fill(0, 0, 12));
    expect(await check()).toEqual(named("recordings_are_playable", "has a recording with a header that is not ours"));
    await truncate(path, 10);
    expect(await check()).toEqual(named("recordings_are_playable", "has a recording of 10 bytes, which is no sound"));
  });

  test("when it is not as long as the call says", async () => {
    await setRecording(seeded.completed, { status: "ready", durationMs: 4_500, partial: false, reason: null });
    expect(await check()).toEqual(named("recordings_are_playable", "has a recording of 3000 ms and says 4500 ms"));
    await setRecording(seeded.completed, { status: "ready", durationMs: 3_900, partial: false, reason: null });
    expect(await check()).toEqual([]);
  });

  test("when it lies there and its call knows nothing of it, does not exist, or is of another day", async () => {
    const place = path.slice(folder.length + 1);
    await setRecording(seeded.completed, null);
    expect(await check()).toEqual([`recordings_belong_to_calls: ${place} is of a call that was never recorded`]);
    await rename(path, join(dirname(path), "call_0000000000000000000000gone.wav"));
    expect(await check()).toEqual([
      expect.stringContaining("call_0000000000000000000000gone.wav is of a call that does not exist"),
    ]);
    await mkdir(join(folder, "1999-12-31"));
    await rm(dirname(path), { recursive: true });
    await writeFile(join(folder, "1999-12-31", `${seeded.completed}.wav`), "");
    expect(await check()).toEqual([expect.stringContaining("lies in the folder of another day")]);
  });

  test("when it was erased and still exists some time later", async () => {
    const erased = { status: "erased", durationMs: LENGTH_MS, partial: false, reason: "erased" };
    await setRecording(seeded.completed, erased, "1 minute");
    expect(await check()).toEqual([]);
    await setRecording(seeded.completed, erased, "11 minutes");
    expect(await check()).toEqual([expect.stringContaining("was erased, and is still there")]);
  });

  test("and not during the call, which may not have recorded its state yet", async () => {
    await setRecording(seeded.completed, null);
    await rm(dirname(path), { recursive: true });
    const talking = await pathOf(seeded.talking);
    await mkdir(dirname(talking), { recursive: true });
    await writeFile(talking, "");
    expect(await check()).toEqual([]);
  });
});
