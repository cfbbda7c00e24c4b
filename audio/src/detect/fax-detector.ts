import { samplesIn } from "../frame.ts";
import type { HeardTone, ToneTracker } from "./tone-tracker.ts";

/** `fax.answered` is reported while the tone lasts; `fax.called` when one burst of the calling tone is over. */
export type FaxEvent = { type: "fax.answered" | "fax.called"; position: number };

/** T.30: 1,100 Hz within 38 Hz, half a second within 15 %. */
const CALLING_HZ = 1100;
const CALLING_TOLERANCE_HZ = 38;
const CALLING_MIN_SAMPLES = samplesIn(425);
const CALLING_MAX_SAMPLES = samplesIn(575);
/** T.30 and V.25: 2,100 Hz within 15 Hz, for 2.6 to 4 s; the rest allows for our own error. */
const ANSWER_HZ = 2100;
const ANSWER_TOLERANCE_HZ = 25;
/** Long enough that no beep is mistaken for it, short enough to hang up before it costs. */
const ANSWER_MIN_SAMPLES = samplesIn(600);

/** Detects a fax machine or a modem on the line. */
export class FaxDetector {
  readonly #tracker: ToneTracker;
  readonly #listener: (event: FaxEvent) => void;
  #position = 0;
  #hasAnswered = false;

  constructor(tracker: ToneTracker, listener: (event: FaxEvent) => void) {
    this.#tracker = tracker;
    this.#listener = listener;
    tracker.onTone((tone) => {
      if (isFaxCallingTone(tone)) listener({ type: "fax.called", position: tone.endPosition });
    });
  }

  /** Call after each frame passed to the tracker. */
  check(frameSamples: number): void {
    this.#position += frameSamples;
    if (this.#hasAnswered || this.#tracker.soundingSamples < ANSWER_MIN_SAMPLES) return;
    if (Math.abs(this.#tracker.soundingHz - ANSWER_HZ) > ANSWER_TOLERANCE_HZ) return;
    this.#hasAnswered = true;
    this.#listener({ type: "fax.answered", position: this.#position });
  }
}

/** Whether a tone is one burst of a fax machine's calling tone. */
export function isFaxCallingTone({ frequencyHz, startPosition, endPosition }: HeardTone): boolean {
  const durationSamples = endPosition - startPosition;
  return (
    Math.abs(frequencyHz - CALLING_HZ) <= CALLING_TOLERANCE_HZ &&
    durationSamples >= CALLING_MIN_SAMPLES &&
    durationSamples <= CALLING_MAX_SAMPLES
  );
}
