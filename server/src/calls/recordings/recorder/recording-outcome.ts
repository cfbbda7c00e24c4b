/** What became of a recording. */
export interface RecordingOutcome {
  readonly durationMs: number;
  /** Where it is silent because the audio was not there in time, in order and counted from its beginning. */
  readonly gaps: readonly RecordingGap[];
  /** Why there is no more of it, or nothing at all; null when all went well. */
  readonly trouble: string | null;
  /** How to draw it; null when there is nothing to draw. */
  readonly peaks: RecordingPeaks | null;
}

/** A stretch without audio. */
export interface RecordingGap {
  readonly startMs: number;
  readonly endMs: number;
}

/** There is no recording, for this reason. */
export function noRecording(trouble: string): RecordingOutcome {
  return { durationMs: 0, gaps: [], trouble, peaks: null };
}

/** How to draw a recording: the loudest moment of each stretch of both sides, 0 to 255. */
export interface RecordingPeaks {
  readonly samplesPerPeak: number;
  readonly callee: Uint8Array;
  readonly agent: Uint8Array;
}
