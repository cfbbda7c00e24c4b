/**
 * Resamples audio chunk by chunk. When downsampling, each sample is the mean of those it replaces, which suppresses most
 * aliasing.
 */
export class RateChanger {
  readonly #step: number;
  #sum = 0;
  #weight = 0;

  constructor(fromHz: number, toHz: number) {
    if (toHz > fromHz) throw new Error(`${fromHz} Hz cannot be made into ${toHz} Hz here`);
    this.#step = fromHz / toHz;
  }

  change(samples: ArrayLike<number>): number[] {
    const changed: number[] = [];
    for (let index = 0; index < samples.length; index += 1) {
      const sample = samples[index] ?? 0;
      const missing = this.#step - this.#weight;
      if (missing > 1) {
        this.#sum += sample;
        this.#weight += 1;
        continue;
      }
      // This one is shared between the sample that is finished and the next.
      changed.push((this.#sum + sample * missing) / this.#step);
      this.#weight = 1 - missing;
      this.#sum = sample * this.#weight;
    }
    return changed;
  }
}
