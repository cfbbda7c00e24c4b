import type { PlayoutHandle } from "./playout-layout.ts";

/** The clips in insertion order. */
interface Allocation {
  offset: number;
  /** Including what was left unused at the end of the store to keep the clip in one piece. */
  takenSamples: number;
  isFree: boolean;
}

/**
 * The audio that a playout queue plays from: a fixed piece of shared memory, used as a ring by the producer. A clip
 * stays until it is freed; memory is freed in allocation order, which is the order in which clips are played.
 */
export class ClipStore {
  readonly #pcm: Int16Array;
  readonly #allocations: Allocation[] = [];
  #next = 0;
  #takenSamples = 0;
  #refusals = 0;

  constructor({ pcm }: Pick<PlayoutHandle, "pcm">) {
    this.#pcm = new Int16Array(pcm);
  }

  get capacitySamples(): number {
    return this.#pcm.length;
  }

  get takenSamples(): number {
    return this.#takenSamples;
  }

  /** How often a clip did not fit. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Copies a clip in and returns its offset, or null immediately when there is no room. */
  put(samples: Int16Array): number | null {
    if (samples.length === 0) throw new RangeError("a clip without samples has no place");
    const startsOver = this.#next + samples.length > this.#pcm.length;
    const takenSamples = samples.length + (startsOver ? this.#pcm.length - this.#next : 0);
    if (this.#takenSamples + takenSamples > this.#pcm.length) {
      this.#refusals += 1;
      return null;
    }
    const offset = startsOver ? 0 : this.#next;
    this.#pcm.set(samples, offset);
    this.#next = offset + samples.length;
    this.#takenSamples += takenSamples;
    this.#allocations.push({ offset, takenSamples, isFree: false });
    return offset;
  }

  /** Frees a clip's memory. Only when the queue has reported every entry of it as over. */
  free(offset: number): void {
    const allocation = this.#allocations.find((each) => each.offset === offset && !each.isFree);
    if (!allocation) throw new RangeError(`no clip was put at ${offset}`);
    allocation.isFree = true;
    while (this.#allocations[0]?.isFree) this.#takenSamples -= this.#allocations.shift()?.takenSamples ?? 0;
    // An empty store starts from the beginning, so that the largest clip fits in one piece again.
    if (this.#allocations.length === 0) this.#next = 0;
  }
}
