import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import type { RecordingPeaks } from "./recorder/recording-outcome.ts";

/** From here on it cannot be played, even if its file is still being written. */
export async function setRecordingErased(tx: Tx, callId: string, reason: string): Promise<void> {
  await run(
    tx,
    `/* set_recording_erased */ update calls
     set recording = recording || jsonb_build_object('status', 'erased', 'reason', $2::text)
     where id = $1 and recording is not null`,
    [callId, reason],
  );
}

export interface ErasedRecording {
  readonly id: string;
  readonly created_at: Date;
  readonly recording_erased_at: Date;
}

/** Recordings erased since then, oldest first; `afterId` continues among those of the same moment. */
export async function readErasedRecordings(
  db: Database,
  since: Date,
  afterId: string,
  rowsMax: number,
): Promise<ErasedRecording[]> {
  return run<ErasedRecording>(
    db,
    `/* read_erased_recordings */ select id, created_at, recording_erased_at from calls
     where recording_erased_at is not null and (recording_erased_at, id) > ($1, $2)
     order by recording_erased_at, id limit $3`,
    [since, afterId, rowsMax],
  );
}

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
     on conflict on constraint recording_peaks_pkey do update
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

interface LostAfter {
  /** A call whose worker is known to be lost. */
  readonly workerLostSeconds: number;
  /** Any other call: its recorder may still be about to close the file. */
  readonly endedSeconds: number;
}

/**
 * Calls that ended this long ago and still count as being recorded: the process that should have reported the outcome
 * is gone.
 */
export async function findLostRecordings(
  db: Database,
  { workerLostSeconds, endedSeconds }: LostAfter,
  afterId: string,
  rowsMax: number,
): Promise<CallRow[]> {
  return run<CallRow>(
    db,
    `/* find_lost_recordings */ select * from calls
     where state = 'ended' and recording->>'status' = 'recording' and id > $3
       and ended_at < now() - make_interval(secs => case end_reason when 'worker_lost' then $1::float8 else $2::float8 end)
     order by id limit $4`,
    [workerLostSeconds, endedSeconds, afterId, rowsMax],
  );
}

/** Those of the given calls that ended without ever mentioning a recording. */
export async function findUnspoken(db: Database, ids: readonly string[]): Promise<CallRow[]> {
  return run<CallRow>(
    db,
    `/* find_unspoken_recordings */ select * from calls
     where id = any($1) and state = 'ended' and recording is null and recording_erased_at is null order by id`,
    [ids],
  );
}
