import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Database } from "../../platform/database/database.ts";
import type { Bucket, UploadedPart } from "../../platform/storage/bucket.ts";
import type { Log } from "../../platform/telemetry/log.ts";
import {
  createBucketRecordingStore,
  listRecordings,
  objectKey,
  PART_BYTES,
  type RecordedCall,
  readPart,
  recordingPath,
} from "./recording-storage.ts";
import {
  claimObject,
  deleteObject,
  type LocalCall,
  type ObjectRow,
  readLocalCalls,
  releaseObject,
  saveUpload,
  setStored,
} from "./upload-store.ts";

export interface UploadDeps {
  readonly db: Database;
  readonly folder: string;
  readonly bucket: Bucket;
  readonly prefix: string;
  readonly log: Log;
}

/** Longer than the store may take for one part, so that no other process starts meanwhile. */
const CLAIM_SECONDS = 300;
const BATCH = 200;

/**
 * Uploads the recordings of this machine to the bucket: of growing ones every full part, of finished ones the rest, and
 * then removes the file from the disk. After all were tried, rejects if the store did not accept some; their files stay
 * for the next time. Returns how many were uploaded completely.
 */
export async function uploadRecordings(deps: UploadDeps): Promise<number> {
  const ids = await listRecordings(deps.folder);
  let stored = 0;
  const failures: unknown[] = [];
  for (let first = 0; first < ids.length; first += BATCH) {
    for (const call of await readLocalCalls(deps.db, ids.slice(first, first + BATCH))) {
      if (call.recording_erased_at !== null) continue;
      const isFinished = call.recording?.status === "ready";
      if (!isFinished && (call.recording?.status !== "recording" || call.state === "ended")) continue;
      try {
        if (await uploadOne(deps, call, isFinished)) stored += 1;
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} recordings could not be brought into the bucket`, { cause: failures[0] });
  return stored;
}

async function uploadOne(deps: UploadDeps, call: LocalCall, isFinished: boolean): Promise<boolean> {
  const path = recordingPath(deps.folder, call);
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return false;
  try {
    const { size } = await file.stat();
    if (!isFinished && size < PART_BYTES) return false;
    const object = await claimObject(deps.db, call.id, CLAIM_SECONDS);
    if (!object) return false;
    try {
      if (!isFinished) {
        await uploadFullParts(deps, call, object, size);
        return false;
      }
      await uploadWhole(deps, call, object, path);
      await setStored(deps.db, call.id);
      await rm(path, { force: true });
      return true;
    } finally {
      await releaseObject(deps.db, call.id);
    }
  } finally {
    await file.close();
  }
}

/** Every full part of a growing recording that is not uploaded yet. */
async function uploadFullParts(
  { db, bucket, prefix, folder }: UploadDeps,
  call: LocalCall,
  object: ObjectRow,
  size: number,
): Promise<readonly UploadedPart[]> {
  const key = objectKey(prefix, call);
  const parts = [...object.parts];
  const file = await open(recordingPath(folder, call), "r");
  try {
    let uploadId = object.upload_id;
    for (let number = parts.length + 1; number * PART_BYTES <= size; number++) {
      if (uploadId === null) {
        uploadId = await bucket.beginUpload(key);
        await saveUpload(db, call.id, uploadId, parts, CLAIM_SECONDS);
      }
      parts.push(await bucket.uploadPart(key, uploadId, number, await readPart(file, number, size)));
      await saveUpload(db, call.id, uploadId, parts, CLAIM_SECONDS);
    }
    return parts;
  } finally {
    await file.close();
  }
}

/** The rest of a finished recording, and its first part again, whose header now states the length. */
async function uploadWhole(deps: UploadDeps, call: LocalCall, object: ObjectRow, path: string): Promise<void> {
  const { bucket, prefix, log } = deps;
  const store = createBucketRecordingStore(bucket, prefix);
  if (object.upload_id === null) return store.put(call, path);
  try {
    await finishUpload(deps, call, object, object.upload_id, path);
  } catch (error) {
    // The store may have dropped the upload, or completed it although the reply was lost. The file is still here.
    log.warn({ callId: call.id, error }, "multipart upload could not be completed; uploading the recording again");
    await store.put(call, path);
    await bucket.abortUpload(objectKey(prefix, call), object.upload_id);
  }
}

async function finishUpload(
  deps: UploadDeps,
  call: LocalCall,
  object: ObjectRow,
  uploadId: string,
  path: string,
): Promise<void> {
  const { bucket, prefix } = deps;
  const key = objectKey(prefix, call);
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const parts = [...(await uploadFullParts(deps, call, object, size))];
    if (parts.length * PART_BYTES < size)
      parts.push(
        await bucket.uploadPart(key, uploadId, parts.length + 1, await readPart(file, parts.length + 1, size)),
      );
    parts[0] = await bucket.uploadPart(key, uploadId, 1, await readPart(file, 1, size));
    await bucket.completeUpload(key, uploadId, parts);
  } finally {
    await file.close();
  }
}

const RECOVERY_CLAIM_SECONDS = 600;

/**
 * Fetches what a lost machine had uploaded of a recording: the uploaded parts become an object, and that a file on this
 * machine, to be repaired like any other. Returns whether there was anything.
 */
export async function recoverFromBucket(
  { db, bucket, prefix, folder, log }: UploadDeps,
  call: RecordedCall,
): Promise<boolean> {
  const object = await claimObject(db, call.id, RECOVERY_CLAIM_SECONDS);
  if (!object) return false;
  try {
    if (object.upload_id !== null && object.parts.length > 0) {
      await bucket.completeUpload(objectKey(prefix, call), object.upload_id, object.parts).catch((error: unknown) => {
        // A process that tried this before may have been lost in turn; then the object exists.
        log.warn({ callId: call.id, error }, "upload of a lost machine could not be completed");
      });
    }
    const stored = await createBucketRecordingStore(bucket, prefix).open(call);
    if (!stored) {
      await deleteObject(db, call.id);
      return false;
    }
    const path = recordingPath(folder, call);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const content = await stored.read({ first: 0, last: stored.bytes - 1 });
    await pipeline(content, createWriteStream(`${path}.part`, { mode: 0o600 }));
    await rename(`${path}.part`, path);
    await saveUpload(db, call.id, null, [], RECOVERY_CLAIM_SECONDS);
    return true;
  } finally {
    await releaseObject(db, call.id);
  }
}
