import { type Database, run, type Tx } from "../../platform/database/database.ts";

/** From here on nothing can be heard of it, whoever still writes its file. */
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

/** Recordings that were erased since then, the oldest first; after this one where several were at the same moment. */
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
