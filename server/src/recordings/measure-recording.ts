import { stat } from "node:fs/promises";
import { durationMsOf } from "@parley/audio/frame";
import { bytesPerFrame, WAV_HEADER_BYTES } from "@parley/audio/wav-header";

const FRAME_BYTES = bytesPerFrame({ channels: 2 });

/** How much of a call lies in the file that its recorder did not live to close; 0 when there is no such file. */
export async function measureRecording(path: string): Promise<number> {
  try {
    const { size } = await stat(path);
    return durationMsOf(Math.floor(Math.max(0, size - WAV_HEADER_BYTES) / FRAME_BYTES));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
