import { copyFile, type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";
import { recordingPath } from "./recording-path.ts";
import type { RecordingStore } from "./recording-store.ts";

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
