import { rmsAt, rmsOf } from "./level.ts";

export interface SilenceSettings {
  /** Frames below this level count as silence. Raising it tolerates line noise and cuts off quiet speakers. */
  thresholdDbfs: number;
  /** How long it must be quiet before it is called silence, in samples. */
  minimumSamples: number;
}

/** Line noise rarely exceeds -50 dBFS, and quiet speech on a telephone is about 10 dB above that. */
const DEFAULT_SILENCE: SilenceSettings = { thresholdDbfs: -48, minimumSamples: 1600 };

/**
 * Determines by level alone since when a line has been quiet: for hold, dead air and the pause after a beep. It does
 * not detect speech.
 */
export class SilenceDetector {
  readonly #thresholdRms: number;
  readonly #minimumSamples: number;
  #position = 0;
  #quietSince = 0;

  constructor({ thresholdDbfs, minimumSamples }: SilenceSettings = DEFAULT_SILENCE) {
    this.#thresholdRms = rmsAt(thresholdDbfs);
    this.#minimumSamples = minimumSamples;
  }

  /** Takes the next frame and returns whether the line is silent at its end. */
  push(frame: Int16Array): boolean {
    this.#position += frame.length;
    if (rmsOf(frame) > this.#thresholdRms) this.#quietSince = this.#position;
    return this.isSilent;
  }

  get isSilent(): boolean {
    return this.quietSamples >= this.#minimumSamples;
  }

  /** How long it has been quiet, to the length of a frame. */
  get quietSamples(): number {
    return this.#position - this.#quietSince;
  }

  /** Where in the stream the quiet began. */
  get quietSince(): number {
    return this.#quietSince;
  }
}
