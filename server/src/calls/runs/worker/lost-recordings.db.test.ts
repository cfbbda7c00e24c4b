import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { wavHeader } from "@parley/audio/wav-header";
import { readWav } from "@parley/audio/wav-reader";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { createLog } from "../../../platform/telemetry/log.ts";
import { type CallRow, toCall } from "../../call-record.ts";
import { findPeaks } from "../../recordings/recording-state-store.ts";
import { recordingPath } from "../../recordings/recording-storage.ts";
import { setScene } from "../testing/call-scene.ts";
import { adoptRecordings, closeLostRecordings } from "./lost-recordings.ts";

let t: TestDatabase;
let folder: string;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "recordings-"));
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

const close = () => closeLostRecordings({ db: t.db, folder, log: createLog("silent"), nowMs: Date.now, recover: null });

/** A call that ended this long ago while its recording was not closed. */
async function leaveCall(endedSecondsAgo: number, endReason = "agent_hangup"): Promise<CallRow> {
  const id = await (await setScene(t.db)).place("test");
  const [row] = await run<CallRow>(
    t.db,
    `update calls set state = 'ended', status = 'completed', end_reason = $3, ended_by = 'agent',
       created_at = now() - interval '1 hour', answered_at = now() - interval '30 minutes',
       ended_at = now() - make_interval(secs => $2), duration_seconds = 3,
       recording = '{"status":"recording","durationMs":null,"partial":false,"reason":null}'
     where id = $1 returning *`,
    [id, endedSecondsAgo, endReason],
  );
  if (!row) throw new Error("the call is gone");
  return row;
}

async function readRecording(id: string) {
  const [row] = await run<CallRow>(t.db, "select * from calls where id = $1", [id]);
  return row && toCall(row).recording;
}

async function writeSound(call: CallRow, seconds: number): Promise<void> {
  const path = recordingPath(folder, call);
  await mkdir(dirname(path), { recursive: true });
  const sound = new Uint8Array(seconds * 8_000 * 4).fill(50);
  await writeFile(path, Buffer.concat([wavHeader({ sampleRateHz: 8_000, channels: 2 }, 0), sound]));
}

test("a recording that a killed process left open is a part of the call, as long as its file", async () => {
  const call = await leaveCall(120);
  await writeSound(call, 2);
  expect(await close()).toBe(1);
  expect(await readRecording(call.id)).toMatchObject({ status: "ready", partial: true, durationSeconds: 2 });
  expect(await close()).toBe(0);
});

test("the file of a killed recorder plays to its last sample afterwards, and can be drawn", async () => {
  const call = await leaveCall(10, "worker_lost");
  await writeSound(call, 1.5);
  expect(readWav(await readFile(recordingPath(folder, call))).channels[0]).toHaveLength(0);
  await close();
  expect(readWav(await readFile(recordingPath(folder, call))).channels.map(({ length }) => length)).toEqual([
    12_000, 12_000,
  ]);
  const peaks = await findPeaks(t.db, call.id);
  expect(peaks).toMatchObject({ samplesPerPeak: 160 });
  expect(peaks && [...peaks.agent]).toEqual(Array(75).fill((50 + 50 * 256) >> 7));
  expect(await readRecording(call.id)).toMatchObject({ partial: true, reason: expect.stringContaining("worker") });
});

test("a file that is not a recording is not touched, and the outcome is reported", async () => {
  const call = await leaveCall(120);
  const path = recordingPath(folder, call);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "x".repeat(1_000));
  await close();
  expect(await readRecording(call.id)).toMatchObject({ status: "failed", reason: expect.stringContaining("damaged") });
  expect(await readFile(path, "utf8")).toBe("x".repeat(1_000));
});

test("a recording whose file is elsewhere is left to the machine that has it, for a limited time", async () => {
  const call = await leaveCall(120);
  expect(await close()).toBe(0);
  expect(await readRecording(call.id)).toMatchObject({ status: "recording" });
});

test("a recording that turns up nowhere has failed, and says why", async () => {
  const call = await leaveCall(1_000);
  await close();
  expect(await readRecording(call.id)).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("not on this machine"),
  });
});

test("a recording whose call has just ended is left to its recorder", async () => {
  const call = await leaveCall(5);
  await writeSound(call, 1);
  expect(await close()).toBe(0);
  expect(await readRecording(call.id)).toMatchObject({ status: "recording" });
});

test("a file created just before the kill and not yet recorded in the database is found and closed", async () => {
  const call = await leaveCall(120, "worker_lost");
  await writeSound(call, 1);
  await run(t.db, "update calls set recording = null where id = $1", [call.id]);
  const live = await (await setScene(t.db)).place("test");
  const [row] = await run<CallRow>(t.db, "select * from calls where id = $1", [live]);
  if (!row) throw new Error("the call is gone");
  await writeSound(row, 1);
  expect(await adoptRecordings(t.db, folder)).toBe(1);
  expect(await adoptRecordings(t.db, folder)).toBe(0);
  await close();
  expect(await readRecording(call.id)).toMatchObject({ status: "ready", partial: true, durationSeconds: 1 });
  expect(await readRecording(live)).toBeNull();
});

test("a file without audio is not a recording and is deleted", async () => {
  const call = await leaveCall(120, "worker_lost");
  await writeSound(call, 0);
  await close();
  expect(await readRecording(call.id)).toMatchObject({ status: "failed" });
  await expect(readFile(recordingPath(folder, call))).rejects.toThrow("ENOENT");
});
