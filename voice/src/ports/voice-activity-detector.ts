/**
 * The port to speech detection. It follows a ring on its own, in a separate thread if it is expensive, and classifies
 * one window after the other.
 */
export interface VoiceActivityDetector {
  readonly name: string;
  readonly windowSamples: number;
  /**
   * Classifies what is written to the ring from now on. Windows are reported in order, none twice, soon after they were
   * written; one that was overrun is left out. Returns the function that stops it, after which nothing is reported.
   */
  watch(heard: SharedArrayBuffer, listener: (windows: readonly ActivityWindow[]) => void): () => void;
  close(): Promise<void>;
}

export interface ActivityWindow {
  /** Where in the ring the window ended, in samples since the leg began. */
  readonly endPosition: number;
  /** The probability of speech in it, from 0 to 1. */
  readonly probability: number;
}
