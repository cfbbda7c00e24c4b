import type { VoiceActivityDetector } from "../ports/voice-activity-detector.ts";

/** What the conformance suite needs to know about the detector it examines, made anew for each test. */
export interface VoiceActivityDetectorRig {
  readonly detector: VoiceActivityDetector;
  /** Speech that every detector recognizes, 8 kHz, at least a second of it and without long pauses. */
  readonly speech: Int16Array;
  /** Gives the detector time to look at what was written, as a media tick does: called after each frame. */
  look(): Promise<void>;
  /** Lines that are still looked at. */
  watched(): number;
}
