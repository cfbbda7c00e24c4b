import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { RecordingPeaks } from "./recording-peaks.ts";

interface PeaksRow {
  readonly samples_per_peak: number;
  readonly callee: Buffer;
  readonly agent: Buffer;
}

export async function insertPeaks(tx: Tx, callId: string, peaks: RecordingPeaks): Promise<void> {
  await run(
    tx,
    `/* insert_recording_peaks */ insert into recording_peaks (call_id, samples_per_peak, callee, agent)
     values ($1, $2, $3, $4)
     on conflict (call_id) do update
       set samples_per_peak = excluded.samples_per_peak, callee = excluded.callee, agent = excluded.agent`,
    [callId, peaks.samplesPerPeak, Buffer.from(peaks.callee), Buffer.from(peaks.agent)],
  );
}

export async function findPeaks(db: Database, callId: string): Promise<RecordingPeaks | null> {
  const [row] = await run<PeaksRow>(
    db,
    "/* find_recording_peaks */ select samples_per_peak, callee, agent from recording_peaks where call_id = $1",
    [callId],
  );
  return row ? { samplesPerPeak: row.samples_per_peak, callee: row.callee, agent: row.agent } : null;
}

export async function deletePeaks(tx: Tx, callId: string): Promise<void> {
  await run(tx, "/* delete_recording_peaks */ delete from recording_peaks where call_id = $1", [callId]);
}
