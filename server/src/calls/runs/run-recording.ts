import type { LegMedia } from "@parley/telephony/carrier";
import type { Clock } from "@parley/telephony/clock";
import type { Database } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import type { Recorder, Recording } from "../recordings/recorder.ts";
import { noRecording, type RecordingOutcome } from "../recordings/recorder-messages.ts";
import { recordingPath } from "../recordings/recording-path.ts";
import { commitRecordingOutcome, commitRecordingStart } from "./recording-commits.ts";
import type { RunWrites } from "./run-writes.ts";

/** Who records calls, and where to. */
export interface CallRecorder extends Pick<Recorder, "record"> {
  readonly folder: string;
}

export interface RunRecordingParts {
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

  async #outcomeOf({ outcome }: Recording): Promise<RecordingOutcome> {
    const { promise: tooLate, resolve } = Promise.withResolvers<RecordingOutcome>();
    const cancel = this.#parts.clock.setTimer(CLOSE_WITHIN_MS, () => resolve(STUCK));
    try {
      return await Promise.race([outcome, tooLate]);
    } finally {
      cancel();
    }
  }
}
