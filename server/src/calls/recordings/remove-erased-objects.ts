import { objectKey } from "./bucket-recording-store.ts";
import { claimObject, deleteObject, readErasedObjects } from "./object-store.ts";
import type { UploadDeps } from "./upload-recordings.ts";

const BATCH = 100;
const CLAIM_SECONDS = 120;

/** Takes erased recordings out of the bucket, whole ones and those that were on their way. Returns how many. */
export async function removeErasedObjects({
  db,
  bucket,
  prefix,
}: Pick<UploadDeps, "db" | "bucket" | "prefix">): Promise<number> {
  let removed = 0;
  for (;;) {
    const calls = await readErasedObjects(db, BATCH);
    for (const call of calls) {
      const object = await claimObject(db, call.id, CLAIM_SECONDS);
      if (!object) continue;
      const key = objectKey(prefix, call);
      if (object.upload_id !== null) await bucket.abortUpload(key, object.upload_id);
      await bucket.remove(key);
      await deleteObject(db, call.id);
      removed += 1;
    }
    if (calls.length < BATCH) return removed;
  }
}
