import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { RecordingState } from "../../platform/database/schema/schema.ts";
import type { UploadedPart } from "../../platform/storage/bucket.ts";

/** How much of a recording is in the bucket. */
export interface ObjectRow {
  readonly call_id: string;
  readonly upload_id: string | null;
  readonly parts: readonly UploadedPart[];
  readonly stored_at: Date | null;
}

/** A call whose recording is on this machine. */
export interface LocalCall {
  readonly id: string;
  readonly created_at: Date;
  readonly state: string;
  readonly recording: RecordingState | null;
  readonly recording_erased_at: Date | null;
}

export async function readLocalCalls(db: Database, ids: readonly string[]): Promise<LocalCall[]> {
  return run<LocalCall>(
    db,
    `/* read_local_calls */ select id, created_at, state, recording, recording_erased_at from calls
     where id = any($1) order by id`,
    [ids],
  );
}

/** Claims it for so many seconds, creating its row if needed. Null when another process holds it. */
export async function claimObject(db: Database, callId: string, seconds: number): Promise<ObjectRow | null> {
  const [row] = await run<ObjectRow>(
    db,
    `/* claim_recording_object */ insert into recording_objects as o (call_id, claimed_until)
     values ($1, clock_timestamp() + make_interval(secs => $2))
     on conflict on constraint recording_objects_pkey do update set claimed_until = excluded.claimed_until
       where o.claimed_until < clock_timestamp()
     returning call_id, upload_id, parts, stored_at`,
    [callId, seconds],
  );
  return row ?? null;
}

/** Records the progress of an upload. */
export async function saveUpload(
  db: Database,
  callId: string,
  uploadId: string | null,
  parts: readonly UploadedPart[],
  seconds: number,
): Promise<void> {
  await run(
    db,
    `/* save_recording_upload */ update recording_objects
     set upload_id = $2, parts = $3::jsonb, claimed_until = clock_timestamp() + make_interval(secs => $4) where call_id = $1`,
    [callId, uploadId, JSON.stringify(parts), seconds],
  );
}

export async function setStored(db: Database, callId: string): Promise<void> {
  await run(
    db,
    `/* set_recording_stored */ update recording_objects
     set stored_at = clock_timestamp(), upload_id = null, parts = '[]' where call_id = $1`,
    [callId],
  );
}

export async function releaseObject(db: Database, callId: string): Promise<void> {
  await run(
    db,
    "/* release_recording_object */ update recording_objects set claimed_until = '-infinity' where call_id = $1",
    [callId],
  );
}

/** Objects of recordings that were erased. */
export async function readErasedObjects(
  db: Database,
  rowsMax: number,
): Promise<{ readonly id: string; readonly created_at: Date }[]> {
  return run(
    db,
    `/* read_erased_objects */ select c.id, c.created_at from recording_objects o join calls c on c.id = o.call_id
     where c.recording_erased_at is not null and o.claimed_until < clock_timestamp() order by c.id limit $1`,
    [rowsMax],
  );
}

export async function deleteObject(db: Database | Tx, callId: string): Promise<void> {
  await run(db, "/* delete_recording_object */ delete from recording_objects where call_id = $1", [callId]);
}
