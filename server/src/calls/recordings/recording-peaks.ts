/** How to draw a recording: the loudest moment of each stretch of both sides, 0 to 255. */
export interface RecordingPeaks {
  readonly samplesPerPeak: number;
  readonly callee: Uint8Array;
  readonly agent: Uint8Array;
}
