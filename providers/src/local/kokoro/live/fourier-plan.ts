/** Fourier transforms of one length, which need not be a power of two but should have small factors. */
export class FourierPlan {
  readonly length: number;
  readonly #factors: readonly number[];
  /** The position of each input sample before the first stage. */
  readonly #order: Uint16Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  readonly #partRe: Float64Array;
  readonly #partIm: Float64Array;

  constructor(length: number) {
    this.length = length;
    this.#factors = primeFactors(length);
    this.#order = Uint16Array.from(decimated(length, this.#factors));
    this.#cosines = Float64Array.from({ length }, (_, step) => Math.cos((2 * Math.PI * step) / length));
    this.#sines = Float64Array.from({ length }, (_, step) => -Math.sin((2 * Math.PI * step) / length));
    const largest = Math.max(...this.#factors);
    this.#partRe = new Float64Array(largest);
    this.#partIm = new Float64Array(largest);
  }

  /** The forward transform. The outputs must be different arrays from the inputs. */
  forward(re: Float64Array, im: Float64Array, outRe: Float64Array, outIm: Float64Array): void {
    for (let at = 0; at < this.length; at++) {
      const from = this.#order[at] as number;
      outRe[at] = re[from] as number;
      outIm[at] = im[from] as number;
    }
    let done = 1;
    for (let level = this.#factors.length - 1; level >= 0; level--) {
      const radix = this.#factors[level] as number;
      this.#stage(outRe, outIm, done, radix);
      done *= radix;
    }
  }

  /** Combines every `radix` adjacent transforms of length `part` into one. */
  #stage(outRe: Float64Array, outIm: Float64Array, part: number, radix: number): void {
    // Plain variables: this is the inner loop of live speech, and destructured pairs would be allocated.
    const cosines = this.#cosines;
    const sines = this.#sines;
    const partRe = this.#partRe;
    const partIm = this.#partIm;
    const length = this.length;
    const stride = length / (part * radix);
    for (let step = 0; step < part; step++) {
      for (let start = step; start < length; start += part * radix) {
        for (let index = 0; index < radix; index++) {
          const at = start + index * part;
          const turn = step * index * stride;
          const cosine = cosines[turn] as number;
          const sine = sines[turn] as number;
          const real = outRe[at] as number;
          const imaginary = outIm[at] as number;
          partRe[index] = real * cosine - imaginary * sine;
          partIm[index] = real * sine + imaginary * cosine;
        }
        for (let row = 0; row < radix; row++) {
          let sumRe = partRe[0] as number;
          let sumIm = partIm[0] as number;
          for (let index = 1; index < radix; index++) {
            const turn = ((row * index) % radix) * part * stride;
            const cosine = cosines[turn] as number;
            const sine = sines[turn] as number;
            const real = partRe[index] as number;
            const imaginary = partIm[index] as number;
            sumRe += real * cosine - imaginary * sine;
            sumIm += real * sine + imaginary * cosine;
          }
          outRe[start + row * part] = sumRe;
          outIm[start + row * part] = sumIm;
        }
      }
    }
  }
}

/** The order of the samples after they are distributed by each factor in turn. */
function decimated(length: number, factors: readonly number[]): readonly number[] {
  let order = Array.from({ length }, (_, at) => at);
  let size = length;
  for (const radix of factors) {
    const next: number[] = [];
    for (let start = 0; start < length; start += size) {
      for (let index = 0; index < radix; index++) {
        for (let at = start + index; at < start + size; at += radix) next.push(order[at] as number);
      }
    }
    order = next;
    size /= radix;
  }
  return order;
}

function primeFactors(length: number): readonly number[] {
  const factors: number[] = [];
  let rest = length;
  for (let factor = 2; rest > 1; factor++) {
    for (; rest % factor === 0; rest /= factor) factors.push(factor);
  }
  return factors;
}
