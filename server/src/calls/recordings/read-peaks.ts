import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { AppError } from "@parley/contract/errors";
import type { RecordingPeaks } from "@parley/contract/recordings";
import type { Database } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { findPeaks } from "./peaks-store.ts";

/** What a finished recording looks like. */
export async function readPeaks(db: Database, call: CallRow): Promise<RecordingPeaks> {
  const peaks = await findPeaks(db, call.id);
  if (!peaks) throw new AppError("not_found", "Nobody has drawn this recording; it can be played all the same.");
  return {
    callId: call.id,
    durationSeconds: (call.recording?.durationMs ?? 0) / 1000,
    secondsPerPeak: peaks.samplesPerPeak / TELEPHONE_RATE_HZ,
    callee: [...peaks.callee],
    agent: [...peaks.agent],
  };
}
