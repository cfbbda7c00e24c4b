import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { durationMsOf } from "@parley/audio/frame";
import { bytesPerFrame, WAV_HEADER_BYTES } from "@parley/audio/wav-header";
import type { WavSink } from "@parley/audio/wav-writer";
import { LineRecorder, type LineRings } from "./line-recorder.ts";
import type { RecordingOutcome } from "./recording-outcome.ts";

export interface OpenRecording {
  /** Writes the audio since the last time. Never throws. */
  advance(): void;
  /** Writes the rest and closes the file. Never rejects. */
  finish(): Promise<RecordingOutcome>;
}

// Recordings are private: no other user of this machine may read them.
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const FRAME_BYTES = bytesPerFrame({ channels: 2 });

/** What a recording needs of its file. */
export interface RecordingFile extends WritableFile {
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a recording in a new file. Rejects when it cannot be created; an existing file is never overwritten. */
export async function openRecording(
  path: string,
  rings: LineRings,
  fromPosition: number,
  queue: DiskQueue,
  create: (path: string) => Promise<RecordingFile> = createFile,
): Promise<OpenRecording> {
  const file = await queue.run(() => create(path));
  let trouble: string | null = null;
  const sink = new FileWavSink(file, queue, (error) => {
    trouble = explainDisk(error);
  });
  const line = new LineRecorder(rings, fromPosition, sink);
  let isFinishing = false;

  /** Truncates after the last complete write, so that the file is as long as its header says. */
  async function close(): Promise<void> {
    try {
      if (trouble !== null) await file.truncate(sink.writtenBytes);
    } finally {
      await file.close();
    }
  }

  return {
    advance() {
      // The line may continue while the disk is busy closing the file.
      if (trouble === null && !isFinishing) line.advance();
    },
    async finish() {
      isFinishing = true;
      if (trouble === null) line.close();
      await sink.settled;
      await queue.run(close).catch((error: unknown) => {
        trouble ??= explainDisk(error);
      });
      // Without audio it is not a recording, and nothing else would ever remove the file.
      if (sink.writtenBytes <= WAV_HEADER_BYTES) {
        await queue
          .run(() => rm(path, { force: true }))
          .catch((error: unknown) => {
            trouble ??= explainDisk(error);
          });
      }
      const samples = Math.max(0, sink.writtenBytes - WAV_HEADER_BYTES) / FRAME_BYTES;
      return {
        durationMs: durationMsOf(samples),
        gaps: line.gaps.map(({ start, end }) => ({
          startMs: Math.round(durationMsOf(start)),
          endMs: Math.round(durationMsOf(end)),
        })),
        trouble,
        peaks: samples > 0 ? line.peaks(samples) : null,
      };
    },
  };
}

async function createFile(path: string): Promise<RecordingFile> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  return open(path, "wx", FILE_MODE);
}

/** How much may wait for the disk: half a minute of a stereo call. */
const WAITING_BYTES_MAX = 1024 * 1024;

/**
 * The sink of a recording's WAV writer. It never blocks. Once a write failed, or too much is waiting, it writes nothing
 * more and the file stays as it is.
 */
export class FileWavSink implements WavSink {
  readonly #file: WritableFile;
  readonly #queue: DiskQueue;
  readonly #onTrouble: (error: unknown) => void;
  #appendedBytes = 0;
  #writtenBytes = 0;
  #waitingBytes = 0;
  #hasTrouble = false;
  #settled: Promise<void> = Promise.resolve();

  constructor(file: WritableFile, queue: DiskQueue, onTrouble: (error: unknown) => void) {
    this.#file = file;
    this.#queue = queue;
    this.#onTrouble = onTrouble;
  }

  /** How many bytes are certainly in the file. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Resolves when everything given so far is written or given up. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  append(bytes: Uint8Array): void {
    const position = this.#appendedBytes;
    this.#appendedBytes += bytes.length;
    this.#write(position, bytes, () => {
      this.#writtenBytes = position + bytes.length;
    });
  }

  patch(offset: number, bytes: Uint8Array): void {
    this.#write(offset, bytes, () => undefined);
  }

  #write(position: number, given: Uint8Array, onWritten: () => void): void {
    if (this.#hasTrouble) return;
    if (this.#waitingBytes + given.length > WAITING_BYTES_MAX) return this.#giveUp(new Error("the disk is too slow"));
    const bytes = given.slice();
    this.#waitingBytes += bytes.length;
    const written = this.#queue.run(async () => {
      if (this.#hasTrouble) return;
      await writeWhole(this.#file, position, bytes);
      onWritten();
    });
    this.#settled = written.then(
      () => {
        this.#waitingBytes -= bytes.length;
      },
      (error: unknown) => this.#giveUp(error),
    );
  }

  #giveUp(error: unknown): void {
    if (this.#hasTrouble) return;
    this.#hasTrouble = true;
    this.#onTrouble(error);
  }
}

/**
 * Runs disk operations one after the other. A disk that hangs then blocks one thread of libuv's pool, which file and
 * DNS operations of the process share, and not all of them.
 */
export class DiskQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs after everything queued before. Rejects as the operation does; the next one still runs. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }
}

/** What is needed of an open file. */
export interface WritableFile {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
}

/** The operating system may write fewer bytes than it was given. */
export async function writeWhole(file: WritableFile, position: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw new Error("nothing could be written");
    at += bytesWritten;
  }
}

const MEANINGS: Readonly<Record<string, string>> = {
  ENOSPC: "There is no space left on the disk.",
  EDQUOT: "The disk quota is used up.",
  EACCES: "The service is not allowed to write to the recordings folder.",
  EPERM: "The service is not allowed to write to the recordings folder.",
  EROFS: "The disk is read-only.",
  EIO: "The disk failed.",
  EMFILE: "Too many files are open.",
  ENFILE: "Too many files are open.",
  EEXIST: "A file with that name already exists.",
};

/** What went wrong with a recording, for its users. Paths appear in the log only. */
export function explainDisk(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const known = code === undefined ? undefined : MEANINGS[code];
  if (known !== undefined) return known;
  if (code !== undefined) return `The file could not be written (${code}).`;
  return error instanceof Error ? `The file could not be written: ${error.message}.` : "The file could not be written.";
}
