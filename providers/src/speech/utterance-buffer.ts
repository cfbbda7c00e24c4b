import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { resampleClip } from "@parley/audio/resample";
import type { SampleRateHz } from "@parley/audio/resample-filter";

/** The audio of one utterance as it grows, as much of it as the recognizer can use. */
export class UtteranceBuffer {
  readonly #sampleRateHz: number;
  readonly #longest: number;
  #samples: Int16Array;
  #length = 0;

  constructor(sampleRateHz: number, maxMs: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#longest = samplesIn(maxMs, sampleRateHz);
    this.#samples = new Int16Array(sampleRateHz);
  }

  add(samples: Int16Array): void {
    if (this.#length + samples.length > this.#samples.length) this.#makeRoom(samples.length);
    const kept = samples.subarray(Math.max(0, samples.length - this.#samples.length));
    this.#samples.set(kept, this.#length);
    this.#length += kept.length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Only at the telephone's rate. */
  copy(): Int16Array {
    const own = this.#samples.slice(0, this.#length);
    if (this.#sampleRateHz === TELEPHONE_RATE_HZ) return own;
    return resampleClip(own, this.#sampleRateHz as SampleRateHz, TELEPHONE_RATE_HZ);
  }

  /** Grows up to the longest utterance; beyond it the beginning is dropped. */
  #makeRoom(more: number): void {
    const wanted = Math.min(this.#longest, Math.max(this.#samples.length * 2, this.#length + more));
    const surplus = Math.min(this.#length, Math.max(0, this.#length + more - wanted));
    const grown = new Int16Array(wanted);
    grown.set(this.#samples.subarray(surplus, this.#length));
    this.#samples = grown;
    this.#length -= surplus;
  }
}
