import type { CallRow } from "../calls/call-record.ts";
import { recordCallEvent } from "../calls/record-event.ts";
import { type Database, inTransaction } from "../database/database.ts";
import type { RecordingState } from "../database/tables/call-tables.ts";
import { keepPeaks } from "../recordings/keep-peaks.ts";
import type { RecordingOutcome } from "../recordings/recorder-messages.ts";
import { setRecording } from "./progress-store.ts";

const UNDER_WAY: RecordingState = { status: "recording", durationMs: null, partial: false, reason: null };

/** The call is being recorded from now on. */
export function commitRecordingStart(db: Database, call: CallRow): Promise<void> {
  return inTransaction(db, async (tx) => {
    await setRecording(tx, call.id, call.fence, UNDER_WAY, 0);
  });
}

/** What became of the recording: while the call goes on, when the disk refused it; else after its end. */
export function commitRecordingOutcome(db: Database, call: CallRow, outcome: RecordingOutcome): Promise<void> {
  const state = toRecordingState(outcome);
  return inTransaction(db, async (tx) => {
    const row = await setRecording(tx, call.id, call.fence, state, 1);
    if (!row) return;
    await keepPeaks(tx, call.id, outcome.peaks);
    if (state.status === "failed") await recordCallEvent(tx, row, "call.recording_failed", { reason: state.reason });
    else
      await recordCallEvent(tx, row, "call.recording.ready", { durationMs: state.durationMs, partial: state.partial });
  });
}

/** A part is better than nothing, and says that it is one. */
export function toRecordingState({ durationMs, lostMs, trouble }: RecordingOutcome): RecordingState {
  if (durationMs === 0)
    return { status: "failed", durationMs: null, partial: false, reason: trouble ?? "Nothing was heard." };
  const lost = lostMs > 0 ? `${Math.round(lostMs)} ms could not be taken down in time.` : null;
  const reason = trouble ?? lost;
  return { status: "ready", durationMs: Math.round(durationMs), partial: reason !== null, reason };
}
