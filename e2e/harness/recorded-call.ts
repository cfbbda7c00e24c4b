import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { wavHeader } from "@parley/audio/wav-header";
import { run } from "@parley/server/database/database";
import { recordingPath, recordingsFolder } from "@parley/server/recordings/recording-path";
import type { ApiWorld } from "./api-world.ts";

const READY = JSON.stringify({ status: "ready", durationMs: 0, partial: false, reason: null });

/** Gives a call a recording, as if it had been held. */
export async function addRecording({ db, dataDir }: ApiWorld, callId: string): Promise<void> {
  const [row] = await run<{ id: string; created_at: Date }>(
    db,
    "update calls set recording = $2 where id = $1 returning id, created_at",
    [callId, READY],
  );
  if (!row) throw new Error(`there is no call ${callId}`);
  await run(
    db,
    "insert into recording_peaks (call_id, samples_per_peak, callee, agent) values ($1, 160, '', '') on conflict do nothing",
    [callId],
  );
  const path = recordingPath(recordingsFolder(dataDir), row);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, wavHeader({ sampleRateHz: 8_000, channels: 2 }, 0));
}
