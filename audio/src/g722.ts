/**
 * ITU-T G.722 at 64 kbit/s, between 8 kHz samples and its bytes.
 *
 * G.722 splits 16 kHz audio by a filter into a lower band (0 to 4 kHz, 6 bits a sample) and an upper band (4 to 8 kHz, 2 bits), each an
 * adaptive differential code at 8 kHz. Our audio is 8 kHz, so it is the lower band: no filter is needed, decoding leaves the upper band
 * out, and encoding sends the code that keeps it silent. One byte is one sample, and a far end that plays 16 kHz hears the 4 kHz that we
 * have. The names of variables are those of the recommendation, as are the numbers (clause 6.2 and its tables).
 */

/** The code of an upper band without audio: the smallest positive step, by which the scale of the band falls to its minimum. */
const SILENT_UPPER_BAND = 0xc0;
/** The scale factor of the lower band at the start. */
const FIRST_DETL = 32;
/** The lower band has half the gain of the audio, so that the filter of a full decoder cannot overflow. */
const BAND_SHIFT = 1;

// biome-ignore format: tables of the recommendation
const Q6 = Int16Array.of(0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121, 1219, 1339,
  1458, 1612, 1765, 1980, 2195, 2557, 2919);
// biome-ignore format: tables of the recommendation
const ILN = Uint8Array.of(0, 63, 62, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4);
// biome-ignore format: tables of the recommendation
const ILP = Uint8Array.of(0, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32);
// biome-ignore format: tables of the recommendation
const QM4 = Int16Array.of(0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0);
// biome-ignore format: tables of the recommendation
const QM6 = Int16Array.of(-136, -136, -136, -136, -24808, -21904, -19008, -16704, -14984, -13512, -12280, -11192, -10232, -9360, -8576, -7856,
  -7192, -6576, -6000, -5456, -4944, -4464, -4008, -3576, -3168, -2776, -2400, -2032, -1688, -1360, -1040, -728, 24808, 21904, 19008, 16704,
  14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456, 4944, 4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360,
  1040, 728, 432, 136, -432, -136);
/** How the scale moves with each of the 16 coarse codes: W of its magnitude. */
// biome-ignore format: tables of the recommendation
const WL = Int16Array.of(-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60);
// biome-ignore format: tables of the recommendation
const ILB = Int16Array.of(2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834, 2896, 2960, 3025,
  3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008);

const NBL_MAX = 18_432;
const ZEROS = 6;

/** The predictor and the scale of the lower band, which encoder and decoder keep alike (blocks 3L and 4L). */
class LowerBand {
  /** The prediction of the next sample. */
  sl = 0;
  detl = FIRST_DETL;
  #nbl = 0;
  #szl = 0;
  #al1 = 0;
  #al2 = 0;
  #rlt1 = 0;
  #rlt2 = 0;
  #plt1 = 0;
  #plt2 = 0;
  readonly #bl = new Int32Array(ZEROS);
  readonly #dlt = new Int32Array(ZEROS);

  /** Takes a coarse code (the upper 4 of the 6 bits). */
  adapt(ril: number): void {
    const dlowt = (this.detl * (QM4[ril] as number)) >> 15;
    this.#adaptScale(ril);
    this.#adaptPredictor(dlowt);
  }

  #adaptScale(ril: number): void {
    const nbl = ((this.#nbl * 127) >> 7) + (WL[ril] as number);
    this.#nbl = nbl < 0 ? 0 : nbl > NBL_MAX ? NBL_MAX : nbl;
    const mantissa = ILB[(this.#nbl >> 6) & 31] as number;
    const exponent = 8 - (this.#nbl >> 11);
    this.detl = (exponent < 0 ? mantissa << -exponent : mantissa >> exponent) << 2;
  }

  #adaptPredictor(dlowt: number): void {
    const rlt = clamp16(this.sl + dlowt);
    const plt = clamp16(this.#szl + dlowt);
    const isSame1 = plt < 0 === this.#plt1 < 0;
    const isSame2 = plt < 0 === this.#plt2 < 0;
    const turned = clamp16(this.#al1 << 2);
    const wd2 = Math.min(32_767, isSame1 ? -turned : turned);
    const apl2 = limit((isSame2 ? 128 : -128) + (wd2 >> 7) + ((this.#al2 * 32_512) >> 15), 12_288);
    const apl1 = limit(clamp16((isSame1 ? 192 : -192) + ((this.#al1 * 32_640) >> 15)), clamp16(15_360 - apl2));

    const bl = this.#bl;
    const dlt = this.#dlt;
    const step = dlowt === 0 ? 0 : 128;
    let szl = 0;
    let next = dlowt;
    for (let index = 0; index < ZEROS; index++) {
      const past = dlt[index] as number;
      const moved = clamp16((past < 0 === dlowt < 0 ? step : -step) + (((bl[index] as number) * 32_640) >> 15));
      bl[index] = moved;
      dlt[index] = next;
      szl += (moved * clamp16(next + next)) >> 15;
      next = past;
    }
    this.#szl = clamp16(szl);
    this.#plt2 = this.#plt1;
    this.#plt1 = plt;
    this.#rlt2 = this.#rlt1;
    this.#rlt1 = rlt;
    this.#al1 = apl1;
    this.#al2 = apl2;
    const pole1 = (apl1 * clamp16(this.#rlt1 + this.#rlt1)) >> 15;
    const pole2 = (apl2 * clamp16(this.#rlt2 + this.#rlt2)) >> 15;
    this.sl = clamp16(clamp16(pole1 + pole2) + this.#szl);
  }
}

/** Of one stream: each byte depends on those before it. */
export class G722Encoder {
  readonly #band = new LowerBand();

  /** Writes one byte per sample into `out` from `outStart`. */
  encode(samples: Int16Array, out: Uint8Array, outStart = 0): void {
    if (samples.length > out.length - outStart) throw new RangeError("no room for the encoded audio");
    const band = this.#band;
    for (let index = 0; index < samples.length; index++) {
      const el = clamp16(((samples[index] as number) >> BAND_SHIFT) - band.sl);
      const magnitude = el >= 0 ? el : -(el + 1);
      const level = levelOf(magnitude, band.detl);
      const ilow = (el < 0 ? ILN[level] : ILP[level]) as number;
      band.adapt(ilow >> 2);
      out[outStart + index] = SILENT_UPPER_BAND | ilow;
    }
  }
}

/** Of one stream. Lost bytes leave an error behind that fades within some milliseconds. */
export class G722Decoder {
  readonly #band = new LowerBand();

  /** Decodes `count` bytes from `codesStart` on to the beginning of `out`. */
  decode(codes: Uint8Array, out: Int16Array, codesStart = 0, count: number = codes.length - codesStart): void {
    if (count > Math.min(out.length, codes.length - codesStart)) throw new RangeError("no room for the decoded audio");
    const band = this.#band;
    for (let index = 0; index < count; index++) {
      const ilow = (codes[codesStart + index] as number) & 0x3f;
      const ylow = band.sl + ((band.detl * (QM6[ilow] as number)) >> 15);
      // Block 5L limits to 15 bits, which is the range of 16 at the gain of the audio.
      out[index] = (ylow < -16_384 ? -16_384 : ylow > 16_383 ? 16_383 : ylow) << BAND_SHIFT;
      band.adapt(ilow >> 2);
    }
  }
}

/** The interval of the quantizer in which a magnitude lies, from 1 to 30 (block 1L), by bisection. */
function levelOf(magnitude: number, detl: number): number {
  let low = 1;
  let high = 30;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (magnitude < ((Q6[middle] as number) * detl) >> 12) high = middle;
    else low = middle + 1;
  }
  return low;
}

function clamp16(value: number): number {
  return value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;
}

function limit(value: number, bound: number): number {
  return value > bound ? bound : value < -bound ? -bound : value;
}
