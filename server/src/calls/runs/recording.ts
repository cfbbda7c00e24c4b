import { RECORDING_GAPS_MAX } from "@parley/contract/calls";
import type { LegMedia } from "@parley/telephony/carrier";
import type { Clock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { RecordingState } from "../../platform/database/schema/schema.ts";
import type { CallRow } from "../call-record.ts";
import { recordCallEvent } from "../event-store.ts";
import type { IncidentReport } from "../incidents/merge-incident.ts";
import { recordIncident } from "../incidents/record-incident.ts";
import { keepPeaks } from "../recordings/keep-peaks.ts";
import type { Recorder, Recording } from "../recordings/recorder/recorder.ts";
import { noRecording, type RecordingGap, type RecordingOutcome } from "../recordings/recorder/recording-outcome.ts";
import { recordingPath } from "../recordings/recording-storage.ts";
import { setRecording } from "./progress-store.ts";
import type { RunWrites } from "./writes.ts";

/** Who records calls, and where to. */
export interface CallRecorder extends Pick<Recorder, "record"> {
  readonly folder: string;
}

interface RunRecordingParts {
  readonly db: Database;
  readonly call: CallRow;
  readonly clock: Clock;
  readonly writes: RunWrites;
  readonly recorder: CallRecorder;
  /** A clock that never jumps. */
  readonly monotonicMs: () => number;
}

/** A file that is not closed by then is left to itself. */
const CLOSE_WITHIN_MS = 5_000;
const STUCK = noRecording("The disk did not answer in time.");

/** The recording of one call. Nothing about the call waits for it but the last word about it itself. */
export class RunRecording {
  readonly #parts: RunRecordingParts;
  #recording: Recording | null = null;
  #isTold = false;
  #startedMs = 0;
  #endedMs: number | null = null;

  constructor(parts: RunRecordingParts) {
    this.#parts = parts;
  }

  /** From this position of the line on. */
  start(media: LegMedia, fromPosition: number): void {
    const { db, call, recorder, writes } = this.#parts;
    const recording = recorder.record({ path: recordingPath(recorder.folder, call), rings: media, fromPosition });
    this.#recording = recording;
    this.#startedMs = this.#parts.monotonicMs();
    writes.add(() => writes.persist(() => commitRecordingStart(db, call)));
    // Only trouble ends it before it was asked to. How much is missing of a part is known when the call is over.
    void recording.outcome.then((outcome) => {
      if (this.#recording !== null && outcome.durationMs === 0) this.#tell(outcome);
    });
  }

  /** The line is over. */
  finish(): void {
    this.#endedMs ??= this.#parts.monotonicMs();
    this.#recording?.finish();
  }

  /** Once the end of the call is queued to be written: says behind it what became of the recording. */
  settle(): void {
    const recording = this.#recording;
    this.#recording = null;
    if (recording === null || this.#isTold) return;
    recording.finish();
    this.#parts.writes.add(async () => this.#write(await this.#outcomeOf(recording)));
  }

  #tell(outcome: RecordingOutcome): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#parts.writes.add(() => this.#write(outcome));
  }

  #write(outcome: RecordingOutcome): Promise<void> {
    const { db, call, writes } = this.#parts;
    // While the line goes on nobody knows how much will be missing.
    const lineMs = this.#endedMs === null ? null : this.#endedMs - this.#startedMs;
    return writes.persist(() => commitRecordingOutcome(db, call, outcome, lineMs));
  }

  #outcomeOf({ outcome }: Recording): Promise<RecordingOutcome> {
    return within(this.#parts.clock, CLOSE_WITHIN_MS, outcome, () => STUCK);
  }
}

const UNDER_WAY: RecordingState = { status: "recording", durationMs: null, partial: false, gaps: [], reason: null };
/** The last frames of a call may be lost to nobody's fault; more than this was missed. */
const SHORT_BY_MS = 1_500;

/** The call is being recorded from now on. */
export function commitRecordingStart(db: Database, call: CallRow): Promise<void> {
  return inTransaction(db, async (tx) => {
    await setRecording(tx, call.id, call.fence, UNDER_WAY, 0);
  });
}

/**
 * What became of the recording: while the call goes on, when the disk refused it; else after its end. `lineMs` is how long
 * the line was to be recorded, by a clock that does not stop with the audio; null when nobody knows.
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
    await keepPeaks(tx, call.id, outcome.peaks);
    const incident = incidentOf(state);
    const reported = incident === null ? row : ((await recordIncident(tx, call, incident)) ?? row);
    // The body of the webhook is frozen with the event, and is to say what went wrong.
    const noted = { ...reported, event_sequence: row.event_sequence };
    const { status, durationMs, partial, gaps, reason } = state;
    if (status === "failed") await recordCallEvent(tx, noted, "call.recording_failed", { reason });
    else await recordCallEvent(tx, noted, "call.recording.ready", { durationMs, partial, gaps });
  });
}

/** A part is better than nothing, and says that it is one and where audio is missing. */
export function toRecordingState(
  { durationMs: recordedMs, gaps: inside, trouble }: RecordingOutcome,
  lineMs: number | null,
): RecordingState {
  const durationMs = Math.round(recordedMs);
  if (durationMs === 0)
    return { status: "failed", durationMs: null, partial: false, gaps: [], reason: trouble ?? "Nothing was heard." };
  const end = lineMs === null ? durationMs : Math.round(lineMs);
  // What is cut off by trouble is missing, however little it is.
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
