import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { Bucket, UploadedPart } from "../../platform/storage/bucket.ts";
import type { ByteRange } from "../../platform/storage/byte-range.ts";

/** All that is needed to find a recording. */
export interface RecordedCall {
  readonly id: string;
  readonly created_at: Date;
}

/** A recording that can be read, in parts and as often as one likes, until it is closed. */
export interface StoredRecording {
  readonly bytes: number;
  /** Nothing of it may be left unread without destroying the stream. */
  read(part: ByteRange): Promise<Readable>;
  close(): Promise<void>;
}

/** Where finished recordings are kept. Rejects when it cannot be reached, never because something is not there. */
export interface RecordingStore {
  /** Null when it has no such recording. */
  open(call: RecordedCall): Promise<StoredRecording | null>;
  /** Keeps the whole of a file, in place of what it may have had. Whoever opens it meanwhile gets one or the other. */
  put(call: RecordedCall, path: string): Promise<void>;
  /** Takes it away for good. Harmless when it is not there. */
  remove(call: RecordedCall): Promise<void>;
}

/** The folder of the data folder that holds recordings, one folder a day. */
export function recordingsFolder(dataDir: string): string {
  return join(dataDir, "recordings");
}

/** Follows from the call alone, so that nothing in the database can point anywhere else. */
export function recordingPath(folder: string, call: { readonly id: string; readonly created_at: Date }): string {
  if (!/^call_[0-9a-z]+$/.test(call.id)) throw new Error(`${call.id} is not the id of a call`);
  return join(folder, call.created_at.toISOString().slice(0, 10), `${call.id}.wav`);
}

const FOLDER_MODE = 0o700;
const PIECE_BYTES = 64 * 1024;

/** The folder on this machine in which recordings are made and, where there is no other store, kept. */
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

/** A stream of the handle's own would close it at its end, and there may be more to read. */
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

/** The ids of the calls whose recordings lie in the folder, of all days or the last so many; the oldest day first. */
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
