import { samplesIn } from "../frame.ts";
import type { HeardTone, ToneTracker } from "./tone-tracker.ts";

export interface SpecialInformationEvent {
  type: "special_information.heard";
  startPosition: number;
  endPosition: number;
}

/** ITU-T E.180 with 50 Hz to either side, which includes the American forms. */
const PITCHES_HZ = [950, 1400, 1800] as const;
const PITCH_TOLERANCE_HZ = 60;
const DURATION_MIN_SAMPLES = samplesIn(220);
const DURATION_MAX_SAMPLES = samplesIn(440);
const PAUSE_MAX_SAMPLES = samplesIn(80);

/** Detects the three rising tones before an announcement that the number cannot be reached. */
export class SpecialInformationDetector {
  #heard = 0;
  #startPosition = 0;
  #endPosition = 0;

  constructor(tracker: Pick<ToneTracker, "onTone">, listener: (event: SpecialInformationEvent) => void) {
    tracker.onTone((tone) => {
      if (!this.#isNext(tone)) this.#heard = 0;
      if (!this.#isNext(tone)) return;
      if (this.#heard === 0) this.#startPosition = tone.startPosition;
      this.#endPosition = tone.endPosition;
      this.#heard += 1;
      if (this.#heard < PITCHES_HZ.length) return;
      this.#heard = 0;
      listener({
        type: "special_information.heard",
        startPosition: this.#startPosition,
        endPosition: this.#endPosition,
      });
    });
  }

  #isNext({ frequencyHz, startPosition, endPosition }: HeardTone): boolean {
    const wantedHz = PITCHES_HZ[this.#heard] ?? 0;
    const durationSamples = endPosition - startPosition;
    return (
      Math.abs(frequencyHz - wantedHz) <= PITCH_TOLERANCE_HZ &&
      durationSamples >= DURATION_MIN_SAMPLES &&
      durationSamples <= DURATION_MAX_SAMPLES &&
      (this.#heard === 0 || startPosition - this.#endPosition <= PAUSE_MAX_SAMPLES)
    );
  }
}
