import { RECORDING_GAPS_MAX } from "@parley/contract/calls";
import type { LegMedia } from "@parley/telephony/carrier";
import { within } from "@parley/time/within";
import { type Database, inTransaction } from "../../../platform/database/database.ts";
import type { RecordingState } from "../../../platform/database/schema/schema.ts";
import type { CallRow } from "../../call-record.ts";
import { recordCallEvent } from "../../event-store.ts";
import { type IncidentReport, recordIncident } from "../../incidents/incidents.ts";
import type { Recording } from "../../recordings/recorder/recorder.ts";
import { noRecording, type RecordingGap, type RecordingOutcome } from "../../recordings/recorder/recording-outcome.ts";
import { insertPeaks } from "../../recordings/recording-state-store.ts";
import { recordingPath } from "../../recordings/recording-storage.ts";
import type { CallRecorder, RunContext } from "../deps.ts";
import { setRecording } from "../lease/progress-store.ts";

/** A file that is not closed by then is abandoned. */
const CLOSE_WITHIN_MS = 5_000;
const STUCK = noRecording("The disk did not answer in time.");

/** The recording of one call. Nothing in the call waits for it except the commit of its own outcome. */
export class CallRecording {
  readonly #run: RunContext;
  readonly #recorder: CallRecorder;
  #recording: Recording | null = null;
  #isReported = false;
  #startedMs = 0;
  #endedMs: number | null = null;

  constructor(run: RunContext, recorder: CallRecorder) {
    this.#run = run;
    this.#recorder = recorder;
  }

  /** Starts at this position of the line. */
  start(media: LegMedia, fromPosition: number): void {
    const { deps, call, writes } = this.#run;
    const path = recordingPath(this.#recorder.folder, call);
    const recording = this.#recorder.record({ path, rings: media, fromPosition });
    this.#recording = recording;
    this.#startedMs = deps.monotonicMs();
    writes.add(() => writes.retry(() => commitRecordingStart(deps.db, call)));
    // Only a failure ends it early. How much is missing of a partial recording is known when the call is over.
    void recording.outcome.then((outcome) => {
      if (this.#recording !== null && outcome.durationMs === 0) this.#report(outcome);
    });
  }

  /** The line is over. */
  finish(): void {
    this.#endedMs ??= this.#run.deps.monotonicMs();
    this.#recording?.finish();
  }

  /** Called once the end of the call is queued: commits the outcome of the recording behind it. */
  settle(): void {
    const recording = this.#recording;
    this.#recording = null;
    if (recording === null || this.#isReported) return;
    recording.finish();
    this.#run.writes.add(async () => this.#commit(await this.#outcomeOf(recording)));
  }

  #report(outcome: RecordingOutcome): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#run.writes.add(() => this.#commit(outcome));
  }

  #commit(outcome: RecordingOutcome): Promise<void> {
    const { deps, call, writes } = this.#run;
    // While the line continues it is not known how much will be missing.
    const lineMs = this.#endedMs === null ? null : this.#endedMs - this.#startedMs;
    return writes.retry(() => commitRecordingOutcome(deps.db, call, outcome, lineMs));
  }

  #outcomeOf({ outcome }: Recording): Promise<RecordingOutcome> {
    return within(this.#run.deps.clock, CLOSE_WITHIN_MS, outcome, () => STUCK);
  }
}

const UNDER_WAY: RecordingState = { status: "recording", durationMs: null, partial: false, gaps: [], reason: null };
/** The last frames of a call are easily lost; only more than this counts as missing. */
const SHORT_BY_MS = 1_500;

/** Commits that the call is being recorded from now on. */
export function commitRecordingStart(db: Database, call: CallRow): Promise<void> {
  return inTransaction(db, async (tx) => {
    await setRecording(tx, call.id, call.fence, UNDER_WAY, 0);
  });
}

/**
 * Commits the outcome of the recording: during the call when the disk refused it, otherwise after its end. `lineMs` is how
 * long the line was to be recorded, by a clock that does not stop with the audio; null when unknown.
 */
export function commitRecordingOutcome(
  db: Database,
  call: CallRow,
  outcome: RecordingOutcome,
  lineMs: number | null,
): Promise<void> {
  const state = toRecordingState(outcome, lineMs);
  return inTransaction(db, async (tx) => {
    const row = await setRecording(tx, call.id, call.fence, state, 1);
    if (!row) return;
    if (outcome.peaks !== null) await insertPeaks(tx, call.id, outcome.peaks);
    const incident = incidentOf(state);
    const reported = incident === null ? row : ((await recordIncident(tx, call, incident)) ?? row);
    // The webhook body is frozen with the event and must include the incident.
    const noted = { ...reported, event_sequence: row.event_sequence };
    const { status, durationMs, partial, gaps, reason } = state;
    if (status === "failed") await recordCallEvent(tx, noted, "call.recording_failed", { reason });
    else await recordCallEvent(tx, noted, "call.recording.ready", { durationMs, partial, gaps });
  });
}

/** A partial recording is better than none; it is marked as partial and lists where audio is missing. */
export function toRecordingState(
  { durationMs: recordedMs, gaps: inside, trouble }: RecordingOutcome,
  lineMs: number | null,
): RecordingState {
  const durationMs = Math.round(recordedMs);
  if (durationMs === 0)
    return { status: "failed", durationMs: null, partial: false, gaps: [], reason: trouble ?? "There was no audio." };
  const end = lineMs === null ? durationMs : Math.round(lineMs);
  // Whatever a failure cut off is missing, however short it is.
  const isShort = end - durationMs > (trouble === null ? SHORT_BY_MS : 0);
  const gaps = isShort
    ? [...inside.slice(0, RECORDING_GAPS_MAX - 1), { startMs: durationMs, endMs: end }]
    : [...inside];
  const missingMs = missingIn(gaps);
  const lost = missingMs > 0 ? `${Math.round(missingMs)} ms of audio are missing.` : null;
  const reason = trouble ?? lost;
  return { status: "ready", durationMs, partial: reason !== null, gaps, reason };
}

function incidentOf({ status, gaps, reason }: RecordingState): IncidentReport | null {
  if (reason === null) return null;
  if (status === "failed") return { what: "recording_failed", reason, agoMs: 0 };
  const totalMs = missingIn(gaps ?? []);
  return { what: "recording_gap", reason, agoMs: 0, ...(totalMs > 0 ? { totalMs } : {}) };
}

function missingIn(gaps: readonly RecordingGap[]): number {
  return gaps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}
