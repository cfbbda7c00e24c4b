import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { durationMsOf } from "@parley/audio/frame";
import { bytesPerFrame, WAV_HEADER_BYTES } from "@parley/audio/wav-header";
import type { DiskQueue, WritableFile } from "./disk-queue.ts";
import { explainDisk } from "./explain-disk.ts";
import { FileWavSink } from "./file-wav-sink.ts";
import { type LineRings, LineTape } from "./line-tape.ts";
import type { RecordingOutcome } from "./recorder-messages.ts";

export interface OpenRecording {
  /** Takes down what was heard and said since the last time. Never throws. */
  advance(): void;
  /** Takes down the rest and closes the file. Never rejects. */
  finish(): Promise<RecordingOutcome>;
}

// What people said on the telephone is nobody else's business on this machine.
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const FRAME_BYTES = bytesPerFrame({ channels: 2 });

/** What a recording needs of the file it is written to. */
export interface RecordingFile extends WritableFile {
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a recording in a new file. Rejects when that cannot be made; one that is there is never written over. */
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
  const tape = new LineTape(rings, fromPosition, sink);
  let isFinishing = false;

  /** What stands behind the last piece that was written whole is cut off, so that the file is as long as it says. */
  async function close(): Promise<void> {
    try {
      if (trouble !== null) await file.truncate(sink.writtenBytes);
    } finally {
      await file.close();
    }
  }

  return {
    advance() {
      // The line may go on while the disk takes its time with the end of the file.
      if (trouble === null && !isFinishing) tape.advance();
    },
    async finish() {
      isFinishing = true;
      if (trouble === null) tape.close();
      await sink.settled;
      await queue.run(close).catch((error: unknown) => {
        trouble ??= explainDisk(error);
      });
      // Without a sound it is no recording, and nobody would ever take the file away.
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
        gaps: tape.gaps.map(({ start, end }) => ({
          startMs: Math.round(durationMsOf(start)),
          endMs: Math.round(durationMsOf(end)),
        })),
        trouble,
        peaks: samples > 0 ? tape.peaks(samples) : null,
      };
    },
  };
}

async function createFile(path: string): Promise<RecordingFile> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  return open(path, "wx", FILE_MODE);
}
