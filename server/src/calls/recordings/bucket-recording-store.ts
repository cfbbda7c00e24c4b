import { type FileHandle, open } from "node:fs/promises";
import type { Bucket, UploadedPart } from "./bucket.ts";
import type { RecordedCall, RecordingStore } from "./recording-store.ts";

/** The smallest part that S3 takes, but for the last one: 164 seconds of a call. */
export const PART_BYTES = 5 * 1024 * 1024;

/** The name of a recording's object. It follows from the call alone, like that of its file. */
export function objectKey(prefix: string, { id, created_at: createdAt }: RecordedCall): string {
  if (!/^call_[0-9a-z]+$/.test(id)) throw new Error(`${id} is not the id of a call`);
  return `${prefix}${createdAt.toISOString().slice(0, 10)}/${id}.wav`;
}

/** A bucket as the place where finished recordings are kept. */
export function createBucketRecordingStore(bucket: Bucket, prefix: string): RecordingStore {
  return {
    async open(call) {
      const key = objectKey(prefix, call);
      const bytes = await bucket.measure(key);
      return bytes === null ? null : { bytes, read: (part) => bucket.read(key, part), close: async () => undefined };
    },
    async put(call, path) {
      const key = objectKey(prefix, call);
      const file = await open(path, "r");
      try {
        const { size } = await file.stat();
        if (size <= PART_BYTES) return await bucket.put(key, await readPart(file, 1, size));
        const uploadId = await bucket.beginUpload(key);
        const parts: UploadedPart[] = [];
        for (let number = 1; (number - 1) * PART_BYTES < size; number++)
          parts.push(await bucket.uploadPart(key, uploadId, number, await readPart(file, number, size)));
        await bucket.completeUpload(key, uploadId, parts);
      } finally {
        await file.close();
      }
    },
    remove: (call) => bucket.remove(objectKey(prefix, call)),
  };
}

/** The bytes of a part, counted from 1, of a file of so many bytes. */
export async function readPart(file: FileHandle, number: number, fileBytes: number): Promise<Uint8Array> {
  const first = (number - 1) * PART_BYTES;
  const bytes = new Uint8Array(Math.min(PART_BYTES, fileBytes - first));
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, first + at);
    if (bytesRead === 0) throw new Error("the recording is shorter than it was");
    at += bytesRead;
  }
  return bytes;
}
