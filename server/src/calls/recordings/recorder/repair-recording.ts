import { type FileHandle, open } from "node:fs/promises";
import { durationMsOf } from "@parley/audio/frame";
import { bytesPerFrame, repairWavHeader, WAV_HEADER_BYTES } from "@parley/audio/wav-header";
import { WaveformPeaks } from "@parley/audio/waveform-peaks";
import { writeWhole } from "./recording-file.ts";
import type { RecordingPeaks } from "./recording-outcome.ts";

interface RepairedRecording {
  readonly durationMs: number;
  /** Null when it holds no audio. */
  readonly peaks: RecordingPeaks | null;
}

const FRAME_BYTES = bytesPerFrame({ channels: 2 });
/** A second and a half at a time, to leave time for live calls in between. */
const PIECE_FRAMES = 12_000;

/**
 * Repairs a file that its recorder could not close: the header is set to the actual length, and a truncated last frame
 * is removed. Null when there is no such file; throws when it is not one of our recordings. Repairing again changes
 * nothing.
 */
export async function repairRecording(path: string): Promise<RepairedRecording | null> {
  const file = await openExisting(path);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    // Killed before the header was written.
    if (size < WAV_HEADER_BYTES) return { durationMs: 0, peaks: null };
    const header = new Uint8Array(WAV_HEADER_BYTES);
    await file.read(header, 0, WAV_HEADER_BYTES, 0);
    const right = repairWavHeader(header, size);
    const frames = Math.floor((size - WAV_HEADER_BYTES) / FRAME_BYTES);
    const wholeBytes = WAV_HEADER_BYTES + frames * FRAME_BYTES;
    if (wholeBytes < size) await file.truncate(wholeBytes);
    if (right !== null) await writeWhole(file, 0, right);
    return { durationMs: durationMsOf(frames), peaks: frames > 0 ? await readPeaks(file, frames) : null };
  } finally {
    await file.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function readPeaks(file: FileHandle, frames: number): Promise<RecordingPeaks> {
  const [callee, agent] = [new WaveformPeaks(), new WaveformPeaks()];
  const bytes = new Uint8Array(PIECE_FRAMES * FRAME_BYTES);
  const view = new DataView(bytes.buffer);
  const [left, right] = [new Int16Array(PIECE_FRAMES), new Int16Array(PIECE_FRAMES)];
  for (let first = 0; first < frames; ) {
    const wanted = Math.min(PIECE_FRAMES, frames - first) * FRAME_BYTES;
    const { bytesRead } = await file.read(bytes, 0, wanted, WAV_HEADER_BYTES + first * FRAME_BYTES);
    const count = Math.floor(bytesRead / FRAME_BYTES);
    if (count === 0) break;
    for (let index = 0; index < count; index++) {
      left[index] = view.getInt16(index * FRAME_BYTES, true);
      right[index] = view.getInt16(index * FRAME_BYTES + 2, true);
    }
    callee.add(left.subarray(0, count));
    agent.add(right.subarray(0, count));
    first += count;
  }
  return { samplesPerPeak: callee.samplesPerPeak, callee: callee.take(), agent: agent.take() };
}
