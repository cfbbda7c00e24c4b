import type { Database } from "../database/database.ts";
import { measureRecording } from "../recordings/measure-recording.ts";
import { recordingPath } from "../recordings/recording-path.ts";
import { findLostRecordings } from "./lost-recording-store.ts";
import { commitRecordingOutcome } from "./recording-commits.ts";

/** Longer than any recorder takes to close its file, so that a call of another worker is left alone. */
const ENDED_SECONDS = 60;
const BATCH = 100;
const CUT_OFF = "The service was stopped before the recording was finished.";
const MISSING = "The service was stopped before the recording was finished, and its file is not on this machine.";

/**
 * Says what became of recordings whose process was killed after their calls had ended and before it could say so
 * itself: what lies in the file can be played and is called a part. Returns how many there were.
 */
export async function closeLostRecordings(db: Database, folder: string): Promise<number> {
  let closed = 0;
  for (;;) {
    const calls = await findLostRecordings(db, ENDED_SECONDS, BATCH);
    for (const call of calls) {
      const durationMs = await measureRecording(recordingPath(folder, call));
      await commitRecordingOutcome(db, call, { durationMs, lostMs: 0, trouble: durationMs > 0 ? CUT_OFF : MISSING });
    }
    closed += calls.length;
    if (calls.length < BATCH) return closed;
  }
}
