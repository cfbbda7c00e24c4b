import { rm } from "node:fs/promises";
import type { Database } from "../../platform/database/database.ts";
import { type ErasedRecording, readErasedRecordings } from "./recording-state-store.ts";
import { objectKey, recordingPath } from "./recording-storage.ts";
import type { UploadDeps } from "./upload-recordings.ts";
import { claimObject, deleteObject, readErasedObjects } from "./upload-store.ts";

interface ErasedFilesDeps {
  readonly db: Database;
  readonly folder: string;
}

const BATCH = 500;
/** Transactions may commit in another order than they begin, so each round looks back this far for long ones. */
const LOOK_BACK_MS = 10 * 60_000;

/**
 * Removes the files of erased recordings from this machine's disk. The first round checks all recordings that were ever
 * erased, because this machine may have been off meanwhile; later rounds check only new ones. Returns how many it
 * checked.
 */
export function createErasedFilesRemover({ db, folder }: ErasedFilesDeps): () => Promise<number> {
  let seenUntilMs = 0;
  const done = new Map<string, number>();

  async function remove(call: ErasedRecording): Promise<void> {
    if (done.has(call.id)) return;
    await rm(recordingPath(folder, call), { force: true });
    done.set(call.id, call.recording_erased_at.getTime());
  }

  return async () => {
    let looked = 0;
    let [since, afterId] = [new Date(Math.max(0, seenUntilMs - LOOK_BACK_MS)), ""];
    for (;;) {
      const calls = await readErasedRecordings(db, since, afterId, BATCH);
      for (const call of calls) await remove(call);
      looked += calls.length;
      const last = calls.at(-1);
      if (last) {
        [since, afterId] = [last.recording_erased_at, last.id];
        seenUntilMs = Math.max(seenUntilMs, since.getTime());
      }
      if (calls.length < BATCH) break;
    }
    for (const [id, atMs] of done) if (atMs < seenUntilMs - LOOK_BACK_MS) done.delete(id);
    return looked;
  };
}

const OBJECTS_BATCH = 100;
const CLAIM_SECONDS = 120;

/** Removes erased recordings from the bucket, finished uploads and unfinished ones. Returns how many. */
export async function removeErasedObjects({
  db,
  bucket,
  prefix,
}: Pick<UploadDeps, "db" | "bucket" | "prefix">): Promise<number> {
  let removed = 0;
  for (;;) {
    const calls = await readErasedObjects(db, OBJECTS_BATCH);
    for (const call of calls) {
      const object = await claimObject(db, call.id, CLAIM_SECONDS);
      if (!object) continue;
      const key = objectKey(prefix, call);
      if (object.upload_id !== null) await bucket.abortUpload(key, object.upload_id);
      await bucket.remove(key);
      await deleteObject(db, call.id);
      removed += 1;
    }
    if (calls.length < OBJECTS_BATCH) return removed;
  }
}
