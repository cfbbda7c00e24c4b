import { samplesIn } from "../frame.ts";
import { isFaxCallingTone } from "./fax-detector.ts";
import type { HeardTone, ToneTracker } from "./tone-tracker.ts";

export interface BeepEvent {
  type: "beep.heard";
  frequencyHz: number;
  startPosition: number;
  endPosition: number;
}

/** Typical voicemail tones: mostly 400 to 1,400 Hz for 0.2 to 1 s. Shorter ones cannot be distinguished from speech. */
const PITCH_MIN_HZ = 290;
const PITCH_MAX_HZ = 2220;
const DURATION_MIN_SAMPLES = samplesIn(100);
const DURATION_MAX_SAMPLES = samplesIn(2000);
/** The same tone again within this time is the rhythm of a busy line or of ringing, not an invitation to speak. */
const REPETITION_SAMPLES = samplesIn(5000);
const SAME_PITCH = 0.02;

/**
 * Detects the beep after which a message may be left: a single tone, then silence. The first burst of a single-sine
 * busy tone looks the same; only its repetition shows the difference, so callers also consult the call progress.
 */
export class BeepDetector {
  #lastHz = 0;
  #lastEndPosition = Number.NEGATIVE_INFINITY;

  constructor(tracker: Pick<ToneTracker, "onTone">, listener: (event: BeepEvent) => void) {
    tracker.onTone((tone) => {
      if (this.#isBeep(tone)) {
        const { frequencyHz, startPosition, endPosition } = tone;
        listener({ type: "beep.heard", frequencyHz, startPosition, endPosition });
      }
      this.#lastHz = tone.frequencyHz;
      this.#lastEndPosition = tone.endPosition;
    });
  }

  #isBeep(tone: HeardTone): boolean {
    const { frequencyHz, startPosition, endPosition, isFollowedBySilence } = tone;
    const durationSamples = endPosition - startPosition;
    const isRepeated =
      startPosition - this.#lastEndPosition < REPETITION_SAMPLES &&
      Math.abs(frequencyHz - this.#lastHz) < SAME_PITCH * frequencyHz;
    // The tones of an announcement follow each other immediately, and the last of them ends in silence.
    const isOfSeries = startPosition - this.#lastEndPosition < samplesIn(60);
    return (
      isFollowedBySilence &&
      frequencyHz >= PITCH_MIN_HZ &&
      frequencyHz <= PITCH_MAX_HZ &&
      durationSamples >= DURATION_MIN_SAMPLES &&
      durationSamples <= DURATION_MAX_SAMPLES &&
      !isRepeated &&
      !isOfSeries &&
      !isFaxCallingTone(tone)
    );
  }
}
