/** How a recording ended. */
export interface RecordingOutcome {
  readonly durationMs: number;
  /** Where it is silent because audio was missing, in order, from its beginning. */
  readonly gaps: readonly RecordingGap[];
  /** Why it is incomplete or missing; null when all went well. */
  readonly trouble: string | null;
  /** Its waveform; null when there is no audio. */
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

/** The waveform of a recording: the peak of each interval on both sides, 0 to 255. */
export interface RecordingPeaks {
  readonly samplesPerPeak: number;
  readonly callee: Uint8Array;
  readonly agent: Uint8Array;
}
