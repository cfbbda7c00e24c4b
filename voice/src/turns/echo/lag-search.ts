import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";

/** Every fourth sample is enough to locate speech: most of its energy is below 1 kHz. */
const STEP = 4;
export const THIN_RATE_HZ = TELEPHONE_RATE_HZ / STEP;

export interface LagFound {
  readonly lag: number;
  /** Correlation with the audio played that much earlier, from 0 to 1. */
  readonly likeness: number;
  readonly gain: number;
}

/**
 * Correlates received with played audio over a range of lags. It remembers for the configured time, and
 * supports several times in parallel: comparing costs much more than remembering. Audio is downsampled, and lags count
 * in downsampled units.
 */
export class LagSearch {
  readonly #memories: readonly LagMemory[];
  readonly #products: Float64Array;
  readonly #energies: Float64Array;

  constructor(lags: number, windowMs: number, memoriesMs: readonly number[]) {
    this.#products = new Float64Array(lags);
    this.#energies = new Float64Array(lags);
    this.#memories = memoriesMs.map((memoryMs) => new LagMemory(lags, Math.exp(-windowMs / memoryMs)));
  }

  /** A received window, and the audio played until its end, longer than all lags. The first of them is `fromLag`. */
  add(heard: Float32Array, played: Float32Array, fromLag = 0): void {
    const count = heard.length;
    const newest = played.length - count - fromLag;
    let energy = energyOf(played, newest, count);
    for (let index = 0; index < this.#products.length; index++) {
      const start = newest - index;
      this.#products[index] = productOf(heard, played, start, count);
      this.#energies[index] = energy;
      // One further back: a sample comes in at the front and one leaves at the end.
      energy = Math.max(0, energy + (played[start - 1] as number) ** 2 - (played[start + count - 1] as number) ** 2);
    }
    const heardEnergy = energyOf(heard, 0, count);
    for (const memory of this.#memories) memory.add(this.#products, this.#energies, heardEnergy);
  }

  /** The lag of highest correlation, counted from the first one, by one of the memories. */
  best(memory = 0): LagFound {
    const asked = this.#memories[memory];
    if (asked === undefined) throw new RangeError(`there is no memory ${memory}`);
    return asked.best();
  }
}

class LagMemory {
  readonly #keptShare: number;
  readonly #products: Float64Array;
  readonly #energies: Float64Array;
  #heardEnergy = 0;

  constructor(lags: number, keptShare: number) {
    this.#keptShare = keptShare;
    this.#products = new Float64Array(lags);
    this.#energies = new Float64Array(lags);
  }

  add(products: Float64Array, energies: Float64Array, heardEnergy: number): void {
    const kept = this.#keptShare;
    this.#heardEnergy = this.#heardEnergy * kept + heardEnergy;
    for (let lag = 0; lag < products.length; lag++) {
      this.#products[lag] = (this.#products[lag] as number) * kept + (products[lag] as number);
      this.#energies[lag] = (this.#energies[lag] as number) * kept + (energies[lag] as number);
    }
  }

  best(): LagFound {
    let lag = 0;
    let share = 0;
    for (let index = 0; index < this.#products.length; index++) {
      const energy = this.#energies[index] as number;
      // The far end may invert the wave: the square is the same.
      const here = energy > 0 ? (this.#products[index] as number) ** 2 / energy : 0;
      if (here <= share) continue;
      share = here;
      lag = index;
    }
    if (share === 0 || this.#heardEnergy === 0) return { lag: 0, likeness: 0, gain: 0 };
    const gain = Math.abs(this.#products[lag] as number) / (this.#energies[lag] as number);
    return { lag, likeness: Math.sqrt(share / this.#heardEnergy), gain };
  }
}

/** Averages before dropping samples, to avoid aliasing. */
export function thin(samples: Int16Array, out: Float32Array): void {
  const count = Math.floor(samples.length / STEP);
  for (let index = 0; index < count; index++) {
    const at = index * STEP;
    const sum =
      (samples[at] as number) + (samples[at + 1] as number) + (samples[at + 2] as number) + (samples[at + 3] as number);
    out[index] = sum / (STEP * 32_768);
  }
}

function productOf(heard: Float32Array, played: Float32Array, start: number, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += (heard[index] as number) * (played[start + index] as number);
  return sum;
}

function energyOf(sound: Float32Array, start: number, count: number): number {
  let sum = 0;
  for (let index = start; index < start + count; index++) sum += (sound[index] as number) ** 2;
  return sum;
}

/** An echo behind noise or a bad speaker is above this. */
const LIKENESS_MIN = 0.5;
/** The same lag, even if the wave falls between two samples. */
const SAME_LAGS = 2;

/** The best lag recently, and for how much audio. */
export class LagCandidate {
  #found: LagFound | null = null;
  #lastedMs = 0;

  get isLike(): boolean {
    return this.#found !== null;
  }

  follow(best: LagFound, elapsedMs: number): void {
    const isLike = best.likeness > LIKENESS_MIN;
    const isSame = isLike && this.#found !== null && Math.abs(best.lag - this.#found.lag) <= SAME_LAGS;
    this.#lastedMs = isSame ? this.#lastedMs + elapsedMs : 0;
    this.#found = isLike ? best : null;
  }

  lasted(leastMs: number): LagFound | null {
    return this.#lastedMs >= leastMs ? this.#found : null;
  }
}
