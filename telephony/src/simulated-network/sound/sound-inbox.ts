import { copySamples, samplesIn } from "@parley/audio/frame";

/** Beyond this it is better to lose sound than to hear it later and later. */
const KEPT_MAX_SAMPLES = samplesIn(500);
const KEPT_AFTER_LOSS_SAMPLES = samplesIn(200);

/**
 * Sound that arrives in batches and is taken frame by frame. After it ran dry it waits for a cushion to fill, so that a
 * batch that comes a little late is not heard as a gap.
 */
export class SoundInbox {
  readonly #cushionSamples: number;
  #batches: Int16Array[] = [];
  #takenOfFirst = 0;
  #kept = 0;
  #waitLeft: number;

  constructor(cushionMs: number) {
    this.#cushionSamples = samplesIn(cushionMs);
    this.#waitLeft = this.#cushionSamples;
  }

  push(batch: Int16Array): void {
    if (batch.length === 0) return;
    this.#batches.push(batch);
    this.#kept += batch.length;
    while (this.#kept > KEPT_MAX_SAMPLES && this.#batches.length > 1) this.#forgetFirst();
  }

  /** Overwrites the frame with what is next, or with silence. */
  pull(frame: Int16Array): void {
    frame.fill(0);
    if (this.#kept === 0) {
      this.#waitLeft = this.#cushionSamples;
      return;
    }
    if (this.#waitLeft > 0) {
      this.#waitLeft -= frame.length;
      return;
    }
    for (let at = 0; at < frame.length; ) {
      const first = this.#batches[0];
      if (first === undefined) return;
      const count = Math.min(frame.length - at, first.length - this.#takenOfFirst);
      copySamples(first, this.#takenOfFirst, frame, at, count);
      this.#takenOfFirst += count;
      this.#kept -= count;
      at += count;
      if (this.#takenOfFirst === first.length) this.#next();
    }
  }

  #forgetFirst(): void {
    while (this.#kept > KEPT_AFTER_LOSS_SAMPLES && this.#batches.length > 1) {
      this.#kept -= (this.#batches[0]?.length ?? 0) - this.#takenOfFirst;
      this.#next();
    }
  }

  #next(): void {
    this.#batches.shift();
    this.#takenOfFirst = 0;
  }
}
