import { rm } from "node:fs/promises";
import type { Database } from "../../../platform/database/database.ts";
import type { Log } from "../../../platform/telemetry/log.ts";
import type { CallRow } from "../../call-record.ts";
import { noRecording, type RecordingOutcome } from "../../recordings/recorder/recording-outcome.ts";
import { repairRecording } from "../../recordings/recorder/repair-recording.ts";
import { findLostRecordings, findUnspoken } from "../../recordings/recording-state-store.ts";
import { listRecordings, recordingPath } from "../../recordings/recording-storage.ts";
import { commitRecordingOutcome, commitRecordingStart } from "../talking/recording.ts";

interface LostRecordingsDeps {
  readonly db: Database;
  readonly folder: string;
  readonly log: Log;
  readonly nowMs: () => number;
  /** Fetches what a lost machine had uploaded to a bucket; null where there is none. */
  readonly recover: ((call: CallRow) => Promise<boolean>) | null;
}

/** Longer than any recorder takes to close its file, so that calls of live workers are left alone. */
const LOST_AFTER = { workerLostSeconds: 5, endedSeconds: 60 };
/** The machine that has the file may be restarting; after this time the file is considered missing. */
const MISSING_AFTER_MS = 15 * 60_000;
const BATCH = 100;
const CUT_OFF = "The service was stopped before the recording was finished.";
const WORKER_LOST = "The worker that conducted the call was lost, and the rest of the recording with it.";
const MISSING = "The service was stopped before the recording was finished, and its file is not on this machine.";
const DAMAGED = "The service was stopped before the recording was finished, and its file is damaged.";

/**
 * Finishes recordings whose process died before it could report the outcome: the file is repaired, can be played and is
 * marked as partial. Returns how many there were. Running it twice, or in two processes, changes nothing.
 */
export async function closeLostRecordings(deps: LostRecordingsDeps): Promise<number> {
  let closed = 0;
  for (let afterId = ""; ; ) {
    const calls = await findLostRecordings(deps.db, LOST_AFTER, afterId, BATCH);
    for (const call of calls) {
      const outcome = await findOutcome(deps, call);
      if (outcome === null) continue;
      await commitRecordingOutcome(deps.db, call, outcome, call.duration_seconds && call.duration_seconds * 1000);
      deps.log.warn({ callId: call.id, reason: outcome.trouble }, "recording closed after its recorder was lost");
      closed += 1;
    }
    const last = calls.at(-1);
    if (!last || calls.length < BATCH) return closed;
    afterId = last.id;
  }
}

/** Null when the outcome is not known yet: it is tried again. */
async function findOutcome(deps: LostRecordingsDeps, call: CallRow): Promise<RecordingOutcome | null> {
  const { log, nowMs, recover } = deps;
  try {
    const here = await repairLocalFile(deps, call);
    if (here !== null) return here;
    if (!isOverdue(call, nowMs())) return null;
    if (recover !== null && (await recover(call))) return (await repairLocalFile(deps, call)) ?? noRecording(MISSING);
    return noRecording(MISSING);
  } catch (error) {
    log.warn({ callId: call.id, error }, "lost recording could not be checked");
    return null;
  }
}

/** Null when its file is not on this machine. */
async function repairLocalFile({ folder, log }: LostRecordingsDeps, call: CallRow): Promise<RecordingOutcome | null> {
  try {
    const repaired = await repairRecording(recordingPath(folder, call));
    if (repaired === null) return null;
    if (repaired.durationMs === 0) await rm(recordingPath(folder, call), { force: true });
    return { ...repaired, gaps: [], trouble: call.end_reason === "worker_lost" ? WORKER_LOST : CUT_OFF };
  } catch (error) {
    // A disk that does not respond may recover later; the content of the file will not change.
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    log.error({ callId: call.id, error }, "lost recording could not be repaired");
    return noRecording(DAMAGED);
  }
}

function isOverdue({ ended_at: endedAt }: CallRow, nowMs: number): boolean {
  return endedAt !== null && nowMs - endedAt.getTime() > MISSING_AFTER_MS;
}

const ADOPTED_BATCH = 500;
/** A worker is lost within minutes; older recordings were checked before. */
const DAYS = 2;

/**
 * Finds recordings on this machine whose calls ended without mentioning them: their process was killed between creating
 * the file and committing that. From here on they are treated like any other. Returns how many.
 */
export async function adoptRecordings(db: Database, folder: string): Promise<number> {
  const ids = await listRecordings(folder, DAYS);
  const unspoken: CallRow[] = [];
  for (let first = 0; first < ids.length; first += ADOPTED_BATCH)
    unspoken.push(...(await findUnspoken(db, ids.slice(first, first + ADOPTED_BATCH))));
  for (const call of unspoken) await commitRecordingStart(db, call);
  return unspoken.length;
}
