import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { Bucket, UploadedPart } from "../../platform/storage/bucket.ts";
import type { ByteRange } from "../../platform/storage/byte-range.ts";

/** What identifies a recording. */
export interface RecordedCall {
  readonly id: string;
  readonly created_at: Date;
}

/** A recording that can be read, in ranges and repeatedly, until it is closed. */
export interface StoredRecording {
  readonly bytes: number;
  /** The stream must be read to its end or destroyed. */
  read(part: ByteRange): Promise<Readable>;
  close(): Promise<void>;
}

/** Where finished recordings are stored. Rejects when it cannot be reached, never because a recording is missing. */
export interface RecordingStore {
  /** Null when it has no such recording. */
  open(call: RecordedCall): Promise<StoredRecording | null>;
  /** Stores a whole file, replacing any earlier one. A reader meanwhile gets either the old or the new one. */
  put(call: RecordedCall, path: string): Promise<void>;
  /** Removes it for good. Harmless when there is none. */
  remove(call: RecordedCall): Promise<void>;
}

/** The folder inside the data folder that holds recordings, with one folder per day. */
export function recordingsFolder(dataDir: string): string {
  return join(dataDir, "recordings");
}

/** Derived from the call alone, so that nothing in the database can point to another file. */
export function recordingPath(folder: string, call: { readonly id: string; readonly created_at: Date }): string {
  if (!/^call_[0-9a-z]+$/.test(call.id)) throw new Error(`${call.id} is not the id of a call`);
  return join(folder, call.created_at.toISOString().slice(0, 10), `${call.id}.wav`);
}

const FOLDER_MODE = 0o700;
const PIECE_BYTES = 64 * 1024;

/** The folder on this machine in which recordings are made and, without a bucket, kept. */
export function createLocalRecordingStore(folder: string): RecordingStore {
  return {
    async open(call) {
      const handle = await openExisting(recordingPath(folder, call));
      if (handle === null) return null;
      const { size: bytes } = await handle.stat();
      return {
        bytes,
        read: async (part) => Readable.from(piecesOf(handle, part), { objectMode: false }),
        close: () => handle.close(),
      };
    },
    async put(call, path) {
      const own = recordingPath(folder, call);
      if (own === path) return;
      await mkdir(dirname(own), { recursive: true, mode: FOLDER_MODE });
      await copyFile(path, `${own}.part`);
      await rename(`${own}.part`, own);
    },
    remove: (call) => rm(recordingPath(folder, call), { force: true }),
  };
}

/** The handle's own stream would close the handle at its end, and there may be more to read. */
async function* piecesOf(handle: FileHandle, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let at = first; at <= last; ) {
    const { bytesRead, buffer } = await handle.read(
      new Uint8Array(Math.min(PIECE_BYTES, last - at + 1)),
      0,
      undefined,
      at,
    );
    if (bytesRead === 0) throw new Error("the recording is shorter than it was");
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** The smallest part that S3 accepts, except for the last one: 164 seconds of a call. */
export const PART_BYTES = 5 * 1024 * 1024;

/** The key of a recording's object, derived from the call alone like its path. */
export function objectKey(prefix: string, { id, created_at: createdAt }: RecordedCall): string {
  if (!/^call_[0-9a-z]+$/.test(id)) throw new Error(`${id} is not the id of a call`);
  return `${prefix}${createdAt.toISOString().slice(0, 10)}/${id}.wav`;
}

/** A bucket as the storage of finished recordings. */
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

/** The bytes of a part, numbered from 1, of a file of this size. */
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

/** The ids of the calls whose recordings are in the folder, of all days or the last few; oldest day first. */
export async function listRecordings(folder: string, daysMax = Number.POSITIVE_INFINITY): Promise<string[]> {
  const days = (await readIfThere(folder))
    .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))
    .sort()
    .slice(-daysMax);
  const ids: string[] = [];
  for (const day of days) {
    for (const name of (await readIfThere(`${folder}/${day}`)).sort()) {
      const id = /^(call_[0-9a-z]+)\.wav$/.exec(name)?.[1];
      if (id !== undefined) ids.push(id);
    }
  }
  return ids;
}

async function readIfThere(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
