import { createErasedFilesRemover, removeErasedObjects } from "../calls/recordings/erase-recordings.ts";
import { type RecordingMaintenance, startRecordingMaintenance } from "../calls/recordings/maintenance.ts";
import {
  createBucketRecordingStore,
  createLocalRecordingStore,
  type RecordingStore,
  recordingsFolder,
} from "../calls/recordings/recording-storage.ts";
import { recoverFromBucket, type UploadDeps, uploadRecordings } from "../calls/recordings/upload-recordings.ts";
import { adoptRecordings, closeLostRecordings } from "../calls/runs/worker/lost-recordings.ts";
import { type Bucket, openBucket } from "../platform/storage/bucket.ts";
import type { ServiceContext } from "./service-context.ts";

/** Five minutes. */
const ROUNDS_BETWEEN = 60;

export interface OpenStores {
  /** In the order in which recordings are looked for. */
  readonly stores: readonly RecordingStore[];
  close(): void;
}

/** Where this process finds recordings: on its own disk first, where they are until they are in the bucket. */
export function openStores({ settings }: ServiceContext): OpenStores {
  const local = createLocalRecordingStore(recordingsFolder(settings.dataDir));
  if (settings.bucket === null) return { stores: [local], close: () => undefined };
  const bucket = openBucket(settings.bucket);
  return {
    stores: [local, createBucketRecordingStore(bucket, settings.bucket.prefix)],
    close: () => bucket.close(),
  };
}

/** Joins the parts that look after the recordings of this machine. */
export function keepRecordings(context: ServiceContext): RecordingMaintenance {
  const { db, log, settings } = context;
  const folder = recordingsFolder(settings.dataDir);
  const bucket = settings.bucket && openBucket(settings.bucket);
  const uploads = bucket && settings.bucket && { db, folder, bucket, prefix: settings.bucket.prefix, log };
  const recover = uploads && ((call: Parameters<typeof recoverFromBucket>[1]) => recoverFromBucket(uploads, call));
  const disk = startRecordingMaintenance({
    log,
    tasks: [
      { name: "adopt_recordings", run: nowAndThen(() => adoptRecordings(db, folder)) },
      { name: "close_lost_recordings", run: () => closeLostRecordings({ db, folder, log, nowMs: Date.now, recover }) },
      { name: "remove_erased_files", run: createErasedFilesRemover({ db, folder }) },
    ],
  });
  const store = uploads && keepBucket(uploads, bucket);
  return {
    async stop() {
      await disk.stop();
      await store?.stop();
    },
  };
}

/** Immediately, and then only every nth round: it scans a folder that may contain thousands of files. */
function nowAndThen(work: () => Promise<unknown>): () => Promise<unknown> {
  let round = 0;
  return async () => (round++ % ROUNDS_BETWEEN === 0 ? work() : null);
}

/** Apart from the disk, so that a store that does not answer delays nothing else. */
function keepBucket(uploads: UploadDeps, bucket: Bucket): RecordingMaintenance {
  const maintenance = startRecordingMaintenance({
    log: uploads.log,
    tasks: [
      { name: "upload_recordings", run: () => uploadRecordings(uploads) },
      { name: "remove_erased_objects", run: () => removeErasedObjects(uploads) },
    ],
  });
  return {
    async stop() {
      await maintenance.stop();
      bucket.close();
    },
  };
}
