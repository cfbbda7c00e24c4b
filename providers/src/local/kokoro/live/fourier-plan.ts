const COSINE_FIFTH = Math.cos((2 * Math.PI) / 5);
const COSINE_TWO_FIFTHS = Math.cos((4 * Math.PI) / 5);
const SINE_FIFTH = Math.sin((2 * Math.PI) / 5);
const SINE_TWO_FIFTHS = Math.sin((4 * Math.PI) / 5);

/** Fourier transforms of one length, which need not be a power of two but should have small factors: fours and fives cost least. */
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
    this.#factors = factorsOf(length);
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
      if (radix === 4) this.#stageOfFour(outRe, outIm, done);
      else if (radix === 5) this.#stageOfFive(outRe, outIm, done);
      else this.#stage(outRe, outIm, done, radix);
      done *= radix;
    }
  }

  /** Combines every four adjacent transforms of length `part` into one: no product within the four is needed. */
  #stageOfFour(outRe: Float64Array, outIm: Float64Array, part: number): void {
    const cosines = this.#cosines;
    const sines = this.#sines;
    const length = this.length;
    const stride = length / (4 * part);
    for (let step = 0; step < part; step++) {
      const turn = step * stride;
      const cosine1 = cosines[turn] as number;
      const sine1 = sines[turn] as number;
      const cosine2 = cosines[2 * turn] as number;
      const sine2 = sines[2 * turn] as number;
      const cosine3 = cosines[3 * turn] as number;
      const sine3 = sines[3 * turn] as number;
      for (let at0 = step; at0 < length; at0 += 4 * part) {
        const at1 = at0 + part;
        const at2 = at1 + part;
        const at3 = at2 + part;
        const re0 = outRe[at0] as number;
        const im0 = outIm[at0] as number;
        let real = outRe[at1] as number;
        let imaginary = outIm[at1] as number;
        const re1 = real * cosine1 - imaginary * sine1;
        const im1 = real * sine1 + imaginary * cosine1;
        real = outRe[at2] as number;
        imaginary = outIm[at2] as number;
        const re2 = real * cosine2 - imaginary * sine2;
        const im2 = real * sine2 + imaginary * cosine2;
        real = outRe[at3] as number;
        imaginary = outIm[at3] as number;
        const re3 = real * cosine3 - imaginary * sine3;
        const im3 = real * sine3 + imaginary * cosine3;
        const evenRe = re0 + re2;
        const evenIm = im0 + im2;
        const evenLessRe = re0 - re2;
        const evenLessIm = im0 - im2;
        const oddRe = re1 + re3;
        const oddIm = im1 + im3;
        const oddLessRe = re1 - re3;
        const oddLessIm = im1 - im3;
        outRe[at0] = evenRe + oddRe;
        outIm[at0] = evenIm + oddIm;
        outRe[at1] = evenLessRe + oddLessIm;
        outIm[at1] = evenLessIm - oddLessRe;
        outRe[at2] = evenRe - oddRe;
        outIm[at2] = evenIm - oddIm;
        outRe[at3] = evenLessRe - oddLessIm;
        outIm[at3] = evenLessIm + oddLessRe;
      }
    }
  }

  /** The same for five, of which pairs are symmetric. */
  #stageOfFive(outRe: Float64Array, outIm: Float64Array, part: number): void {
    const cosines = this.#cosines;
    const sines = this.#sines;
    const length = this.length;
    const stride = length / (5 * part);
    for (let step = 0; step < part; step++) {
      const turn = step * stride;
      const cosine1 = cosines[turn] as number;
      const sine1 = sines[turn] as number;
      const cosine2 = cosines[2 * turn] as number;
      const sine2 = sines[2 * turn] as number;
      const cosine3 = cosines[3 * turn] as number;
      const sine3 = sines[3 * turn] as number;
      const cosine4 = cosines[4 * turn] as number;
      const sine4 = sines[4 * turn] as number;
      for (let at0 = step; at0 < length; at0 += 5 * part) {
        const at1 = at0 + part;
        const at2 = at1 + part;
        const at3 = at2 + part;
        const at4 = at3 + part;
        const re0 = outRe[at0] as number;
        const im0 = outIm[at0] as number;
        let real = outRe[at1] as number;
        let imaginary = outIm[at1] as number;
        const re1 = real * cosine1 - imaginary * sine1;
        const im1 = real * sine1 + imaginary * cosine1;
        real = outRe[at2] as number;
        imaginary = outIm[at2] as number;
        const re2 = real * cosine2 - imaginary * sine2;
        const im2 = real * sine2 + imaginary * cosine2;
        real = outRe[at3] as number;
        imaginary = outIm[at3] as number;
        const re3 = real * cosine3 - imaginary * sine3;
        const im3 = real * sine3 + imaginary * cosine3;
        real = outRe[at4] as number;
        imaginary = outIm[at4] as number;
        const re4 = real * cosine4 - imaginary * sine4;
        const im4 = real * sine4 + imaginary * cosine4;
        const outerRe = re1 + re4;
        const outerIm = im1 + im4;
        const outerLessRe = re1 - re4;
        const outerLessIm = im1 - im4;
        const innerRe = re2 + re3;
        const innerIm = im2 + im3;
        const innerLessRe = re2 - re3;
        const innerLessIm = im2 - im3;
        const firstRe = re0 + COSINE_FIFTH * outerRe + COSINE_TWO_FIFTHS * innerRe;
        const firstIm = im0 + COSINE_FIFTH * outerIm + COSINE_TWO_FIFTHS * innerIm;
        const secondRe = re0 + COSINE_TWO_FIFTHS * outerRe + COSINE_FIFTH * innerRe;
        const secondIm = im0 + COSINE_TWO_FIFTHS * outerIm + COSINE_FIFTH * innerIm;
        const firstTurnRe = SINE_FIFTH * outerLessRe + SINE_TWO_FIFTHS * innerLessRe;
        const firstTurnIm = SINE_FIFTH * outerLessIm + SINE_TWO_FIFTHS * innerLessIm;
        const secondTurnRe = SINE_TWO_FIFTHS * outerLessRe - SINE_FIFTH * innerLessRe;
        const secondTurnIm = SINE_TWO_FIFTHS * outerLessIm - SINE_FIFTH * innerLessIm;
        outRe[at0] = re0 + outerRe + innerRe;
        outIm[at0] = im0 + outerIm + innerIm;
        outRe[at1] = firstRe + firstTurnIm;
        outIm[at1] = firstIm - firstTurnRe;
        outRe[at2] = secondRe + secondTurnIm;
        outIm[at2] = secondIm - secondTurnRe;
        outRe[at3] = secondRe - secondTurnIm;
        outIm[at3] = secondIm + secondTurnRe;
        outRe[at4] = firstRe - firstTurnIm;
        outIm[at4] = firstIm + firstTurnRe;
      }
    }
  }

  /** Combines every `radix` adjacent transforms of length `part` into one, whatever the radix. */
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

/** Fours, and primes for the rest. */
function factorsOf(length: number): readonly number[] {
  const factors: number[] = [];
  let rest = length;
  for (; rest % 4 === 0; rest /= 4) factors.push(4);
  for (let factor = 2; rest > 1; factor++) {
    for (; rest % factor === 0; rest /= factor) factors.push(factor);
  }
  return factors;
}
