import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { bytesPerFrame, wavHeader } from "@parley/audio/wav-header";
import { recordingPath, recordingsFolder } from "@parley/server/calls/recordings/recording-storage";
import { run } from "@parley/server/platform/database/database";
import type { ApiWorld } from "./api-world.ts";

const SHAPE = { sampleRateHz: 8_000, channels: 2 } as const;
const BYTES_PER_SECOND = SHAPE.sampleRateHz * bytesPerFrame(SHAPE);

/** Adds a recording to a call, as if it had been held: a low tone on both sides for this many seconds. */
export async function addRecording({ db, dataDir }: ApiWorld, callId: string, seconds = 0): Promise<void> {
  const state = JSON.stringify({ status: "ready", durationMs: seconds * 1000, partial: false, reason: null });
  const [row] = await run<{ id: string; created_at: Date }>(
    db,
    "update calls set recording = $2 where id = $1 returning id, created_at",
    [callId, state],
  );
  if (!row) throw new Error(`there is no call ${callId}`);
  await run(
    db,
    "insert into recording_peaks (call_id, samples_per_peak, callee, agent) values ($1, 160, '', '') on conflict do nothing",
    [callId],
  );
  const path = recordingPath(recordingsFolder(dataDir), row);
  await mkdir(dirname(path), { recursive: true });
  // One second of 200 Hz repeats without a seam.
  const second = Buffer.alloc(BYTES_PER_SECOND);
  for (let at = 0; at < second.length; at += 2) {
    const timeSeconds = Math.floor(at / bytesPerFrame(SHAPE)) / SHAPE.sampleRateHz;
    second.writeInt16LE(Math.round(8_000 * Math.sin(2 * Math.PI * 200 * timeSeconds)), at);
  }
  const samples = Array.from({ length: seconds }, () => second);
  await writeFile(path, Buffer.concat([wavHeader(SHAPE, seconds * BYTES_PER_SECOND), ...samples]));
}
