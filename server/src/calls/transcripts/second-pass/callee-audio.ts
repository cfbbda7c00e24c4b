import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { samplesIn } from "@parley/audio/frame";
import { bytesPerFrame, WAV_HEADER_BYTES } from "@parley/audio/wav-header";

/** Where recordings can be read from, on this machine or elsewhere. */
export interface RecordingSource {
  /** Null when it has no such recording. */
  open(call: { readonly id: string; readonly created_at: Date }): Promise<ReadableRecording | null>;
}

interface ReadableRecording {
  readonly bytes: number;
  /** Both ends included. */
  read(part: { readonly first: number; readonly last: number }): Promise<Readable>;
  close(): Promise<void>;
}

/** The callee's side of a recording. */
export interface CalleeAudio {
  /** The audio of that time span; less where the recording is shorter. */
  read(fromMs: number, toMs: number): Promise<Int16Array>;
  close(): Promise<void>;
}

const FRAME_BYTES = bytesPerFrame({ channels: 2 });

/** Null when none of the sources has the recording. */
export async function openCalleeAudio(
  sources: readonly RecordingSource[],
  call: Parameters<RecordingSource["open"]>[0],
): Promise<CalleeAudio | null> {
  const recording = await openFirst(sources, call);
  if (recording === null) return null;
  const frames = Math.floor(Math.max(0, recording.bytes - WAV_HEADER_BYTES) / FRAME_BYTES);
  return {
    async read(fromMs, toMs) {
      const first = samplesIn(Math.max(0, fromMs));
      const end = Math.min(frames, samplesIn(toMs));
      if (end <= first) return new Int16Array();
      const range = { first: WAV_HEADER_BYTES + first * FRAME_BYTES, last: WAV_HEADER_BYTES + end * FRAME_BYTES - 1 };
      const bytes = await buffer(await recording.read(range));
      // The callee is on the left.
      return Int16Array.from({ length: end - first }, (_, index) => bytes.readInt16LE(index * FRAME_BYTES));
    },
    close: () => recording.close(),
  };
}

async function openFirst(
  sources: readonly RecordingSource[],
  call: Parameters<RecordingSource["open"]>[0],
): Promise<ReadableRecording | null> {
  for (const source of sources) {
    const recording = await source.open(call);
    if (recording !== null) return recording;
  }
  return null;
}
