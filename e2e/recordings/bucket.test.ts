import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { WAV_HEADER_BYTES, wavHeader, writeSizes } from "@parley/audio/wav-header";
import { readWav } from "@parley/audio/wav-reader";
import type { CallRow } from "@parley/server/calls/call-record";
import { removeErasedObjects } from "@parley/server/calls/recordings/erase-recordings";
import { repairRecording } from "@parley/server/calls/recordings/recorder/repair-recording";
import {
  createBucketRecordingStore,
  PART_BYTES,
  recordingPath,
} from "@parley/server/calls/recordings/recording-storage";
import { makeContent, testRecordingStore } from "@parley/server/calls/recordings/testing/store-conformance";
import {
  recoverFromBucket,
  type UploadDeps,
  uploadRecordings,
} from "@parley/server/calls/recordings/upload-recordings";
import { setScene } from "@parley/server/calls/runs/testing/call-scene";
import { closeLostRecordings } from "@parley/server/calls/runs/worker/lost-recordings";
import { run } from "@parley/server/platform/database/database";
import { migrate } from "@parley/server/platform/database/migrate";
import { type Bucket, openBucket } from "@parley/server/platform/storage/bucket";
import { createLog } from "@parley/server/platform/telemetry/log";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { type ObjectStore, openObjectStore } from "../harness/object-store.ts";

let world: ApiWorld;
let store: ObjectStore;
let bucket: Bucket;
let folders: string;
let machines = 0;
const PREFIX = "calls/";
const log = createLog("silent");

beforeAll(async () => {
  [world, store] = await Promise.all([
    openApiWorld({ unchecked: "calls are ended by hand, without their runs and events" }),
    openObjectStore(),
  ]);
  await migrate(world.databaseUrl);
  bucket = openBucket(store.settings);
  folders = await mkdtemp(join(tmpdir(), "parley-machines-"));
});
afterAll(async () => {
  bucket?.close();
  await store?.close();
  await world?.close();
  if (folders) await rm(folders, { recursive: true, force: true });
});

testRecordingStore("a bucket", () => createBucketRecordingStore(bucket, "conformance/"));

/** A machine with its own folder. */
function openMachine(): UploadDeps {
  return { db: world.db, folder: join(folders, String(machines++)), bucket, prefix: PREFIX, log };
}

let machine: UploadDeps;
beforeEach(() => {
  machine = openMachine();
});

async function change(id: string, fields: string): Promise<CallRow> {
  const [row] = await run<CallRow>(world.db, `update calls set ${fields} where id = $1 returning *`, [id]);
  if (!row) throw new Error("the call is gone");
  return row;
}

/** Old enough to be looked for when it is lost. The day is a part of its path, so it is set before anything is written. */
const UNDER_WAY = `created_at = now() - interval '1 hour',
  recording = '{"status":"recording","durationMs":null,"partial":false,"reason":null}'`;
const READY = `recording = recording || '{"status":"ready"}'`;
const LOST = `state = 'ended', status = 'failed', end_reason = 'worker_lost', ended_by = 'service',
  answered_at = now(), ended_at = now() - interval '1 minute'`;

/** A call that is being recorded on this machine, with this many bytes of audio. */
async function beginRecording(soundBytes: number) {
  const id = await (await setScene(world.db)).place("test");
  const call = await change(id, UNDER_WAY);
  const path = recordingPath(machine.folder, call);
  await mkdir(dirname(path), { recursive: true });
  const content = Buffer.concat([wavHeader({ sampleRateHz: 8_000, channels: 2 }, 0), makeContent(soundBytes)]);
  await writeFile(path, content);
  return { id, call, path };
}

const readObject = async (key: string) => {
  const bytes = await bucket.measure(key);
  return bytes === null ? null : buffer(await bucket.read(key, { first: 0, last: bytes - 1 }));
};
const keyOf = ({ id, created_at: at }: CallRow) => `${PREFIX}${at.toISOString().slice(0, 10)}/${id}.wav`;
const partsOf = async (id: string) =>
  (
    await run<{ parts: { number: number; bytes: number }[] }>(
      world.db,
      "select parts from recording_objects where call_id = $1",
      [id],
    )
  )[0]?.parts.map(({ number, bytes }) => [number, bytes]);
const isHere = (path: string) =>
  readFile(path).then(
    () => true,
    () => false,
  );

describe("a recording on its way into a bucket", () => {
  test("is uploaded in parts while it grows, and completed with the right header when it is finished", async () => {
    const { id, call, path } = await beginRecording(2 * PART_BYTES + 1_000);
    expect(await uploadRecordings(machine)).toBe(0);
    expect(await partsOf(id)).toEqual([
      [1, PART_BYTES],
      [2, PART_BYTES],
    ]);
    await appendFile(path, makeContent(PART_BYTES + 4_000, 2));
    await uploadRecordings(machine);
    expect(await partsOf(id)).toHaveLength(3);
    expect(await bucket.measure(keyOf(call))).toBeNull();
    await repairRecording(path);
    const whole = await readFile(path);
    await change(id, READY);
    expect(await uploadRecordings(machine)).toBe(1);
    expect((await readObject(keyOf(call)))?.equals(whole)).toBe(true);
    expect(readWav(whole).channels[0]?.length).toBe((whole.length - WAV_HEADER_BYTES) / 4);
    expect(await isHere(path)).toBe(false);
    expect(await uploadRecordings(machine)).toBe(0);
  });

  test("is uploaded when it is finished, and not before, if it is short", async () => {
    const { id, call, path } = await beginRecording(100_000);
    await uploadRecordings(machine);
    expect(await partsOf(id)).toBeUndefined();
    const whole = await readFile(path);
    await change(id, READY);
    await uploadRecordings(machine);
    expect((await readObject(keyOf(call)))?.equals(whole)).toBe(true);
  });

  test("is uploaded once by two processes of one machine", async () => {
    const { id, call } = await beginRecording(PART_BYTES + 1_000);
    await change(id, READY);
    const stored = await Promise.all([uploadRecordings(machine), uploadRecordings(machine)]);
    expect(stored.sort()).toEqual([0, 1]);
    expect(await bucket.measure(keyOf(call))).toBe(PART_BYTES + 1_000 + WAV_HEADER_BYTES);
  });

  test("stays on the disk while the store is down, and is uploaded when it is back", async () => {
    const { id, call, path } = await beginRecording(PART_BYTES + 1_000);
    await uploadRecordings(machine);
    await change(id, READY);
    await store.leave();
    try {
      await expect(uploadRecordings(machine)).rejects.toThrow();
      expect(await isHere(path)).toBe(true);
    } finally {
      await store.comeBack();
    }
    expect(await uploadRecordings(machine)).toBe(1);
    expect(await bucket.measure(keyOf(call))).toBe(PART_BYTES + 1_000 + WAV_HEADER_BYTES);
  });
});

describe("a recording whose machine was killed", () => {
  const later = () => Date.now() + 60 * 60_000;
  const closeOn = (on: UploadDeps, nowMs: () => number) =>
    closeLostRecordings({ db: on.db, folder: on.folder, log, nowMs, recover: (call) => recoverFromBucket(on, call) });
  const readState = async (id: string) => (await change(id, "version = version")).recording;

  test("and came back is uploaded from its file, to the last sample", async () => {
    const { id, call, path } = await beginRecording(PART_BYTES + 40_000);
    await uploadRecordings(machine);
    const ended = await change(id, LOST);
    expect(keyOf(ended)).toBe(keyOf(call));
    await closeOn(machine, Date.now);
    expect(await readState(id)).toMatchObject({ status: "ready", partial: true });
    const whole = await readFile(path);
    await uploadRecordings(machine);
    expect((await readObject(keyOf(call)))?.equals(whole)).toBe(true);
    expect(readWav(whole).channels[0]).toHaveLength((PART_BYTES + 40_000) / 4);
  });

  test("permanently consists of what was uploaded, with a header that says so", async () => {
    const { id, call, path } = await beginRecording(2 * PART_BYTES + 40_000);
    await uploadRecordings(machine);
    await change(id, LOST);
    const saved = (await readFile(path)).subarray(0, 2 * PART_BYTES);
    await rm(path);
    const other = openMachine();
    await closeOn(other, Date.now);
    expect(await readState(id)).toMatchObject({ status: "recording" });
    await closeOn(other, later);
    const frames = Math.floor((2 * PART_BYTES - WAV_HEADER_BYTES) / 4);
    expect(await readState(id)).toMatchObject({ status: "ready", partial: true, durationMs: Math.round(frames / 8) });
    expect(await uploadRecordings(other)).toBe(1);
    const right = Buffer.from(saved.subarray(0, WAV_HEADER_BYTES + frames * 4));
    writeSizes(right, frames * 4);
    expect((await readObject(keyOf(call)))?.equals(right)).toBe(true);
  });

  test("before anything was uploaded has failed, and leaves nothing behind", async () => {
    const { id, path } = await beginRecording(1_000);
    await change(id, LOST);
    await rm(path);
    await closeOn(openMachine(), later);
    expect(await readState(id)).toMatchObject({ status: "failed" });
    expect(await partsOf(id)).toBeUndefined();
  });

  test("while the store is down is not abandoned", async () => {
    const { id, path } = await beginRecording(PART_BYTES);
    await uploadRecordings(machine);
    await change(id, LOST);
    await rm(path);
    const other = openMachine();
    await store.leave();
    try {
      await closeOn(other, later);
      expect(await readState(id)).toMatchObject({ status: "recording" });
    } finally {
      await store.comeBack();
    }
    await closeOn(other, later);
    expect(await readState(id)).toMatchObject({ status: "ready", partial: true });
  });
});

describe("an erased recording", () => {
  const ERASED = `recording = recording || '{"status":"erased"}', recording_erased_at = now()`;

  test("is removed from the bucket, whether completely or partly uploaded", async () => {
    const stored = await beginRecording(1_000);
    await change(stored.id, READY);
    const growing = await beginRecording(PART_BYTES + 1_000);
    await uploadRecordings(machine);
    expect(await bucket.measure(keyOf(stored.call))).not.toBeNull();
    for (const { id } of [stored, growing]) await change(id, ERASED);
    await uploadRecordings(machine);
    expect(await removeErasedObjects(machine)).toBe(2);
    expect(await bucket.measure(keyOf(stored.call))).toBeNull();
    expect([await partsOf(stored.id), await partsOf(growing.id)]).toEqual([undefined, undefined]);
    expect(await removeErasedObjects(machine)).toBe(0);
  });
});
