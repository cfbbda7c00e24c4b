import { createWriteStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBucketRecordingStore, objectKey } from "./bucket-recording-store.ts";
import { claimObject, deleteObject, releaseObject, saveUpload } from "./object-store.ts";
import { recordingPath } from "./recording-path.ts";
import type { RecordedCall } from "./recording-store.ts";
import type { UploadDeps } from "./upload-recordings.ts";

const CLAIM_SECONDS = 600;

/**
 * Fetches what a lost machine brought into the bucket of a recording: the parts that were up become an object, and that
 * a file on this machine, to be mended like any other. Returns whether there was anything.
 */
export async function recoverFromBucket(
  { db, bucket, prefix, folder, log }: UploadDeps,
  call: RecordedCall,
): Promise<boolean> {
  const object = await claimObject(db, call.id, CLAIM_SECONDS);
  if (!object) return false;
  try {
    if (object.upload_id !== null && object.parts.length > 0) {
      await bucket.completeUpload(objectKey(prefix, call), object.upload_id, object.parts).catch((error: unknown) => {
        // Somebody who did this before may have been lost in turn; then the object is there.
        log.warn({ callId: call.id, error }, "the upload of a lost machine could not be completed");
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
    await saveUpload(db, call.id, null, [], CLAIM_SECONDS);
    return true;
  } finally {
    await releaseObject(db, call.id);
  }
}
