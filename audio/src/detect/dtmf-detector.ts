import { DTMF_HIGH_HZ, DTMF_KEYS, DTMF_LOW_HZ } from "../dtmf.ts";
import { TELEPHONE_RATE_HZ } from "../frame.ts";
import { DBM0_OF_FULL_SCALE, rmsAt } from "../level.ts";
import { GoertzelBank } from "./goertzel.ts";

/** Positions are in samples from the beginning of the stream, accurate to about 10 ms. */
export type DtmfEvent =
  | { type: "key.pressed"; key: string; position: number }
  | { type: "key.released"; key: string; position: number; pressedPosition: number };

/** Windows in a row, 5 ms apart, that must show one key. Four accept every key of 40 ms and none below 25 ms. */
const PRESS_WINDOWS = 4;
/** At least one of them must be this pure: a key fills some window from edge to edge, a voice only comes near it. */
const BEST_SHARE_MIN = 0.92;
/** Windows in a row without it that end a key: an interruption of 10 ms is bridged, a pause of 40 ms is one. */
const RELEASE_WINDOWS = 8;

/**
 * Detects telephone keys in audio according to ITU-T Q.24, for lines where they are not sent as events (RFC 4733). A
 * key is reported when it is certain, about 45 ms after it was pressed, and again when it is released.
 */
export class DtmfDetector {
  readonly #listener: (event: DtmfEvent) => void;
  readonly #analysis = new DtmfAnalysis();
  readonly #block = new Float64Array(DTMF_BLOCK_SAMPLES);
  #filled = 0;
  #position = 0;
  /** The key that windows in a row have shown, and since when. */
  #shown = NO_KEY;
  #shownWindows = 0;
  #shownPosition = 0;
  #bestShare = 0;
  #pressed = NO_KEY;
  #pressedPosition = 0;
  #heardUntil = 0;
  #missedWindows = 0;

  constructor(listener: (event: DtmfEvent) => void) {
    this.#listener = listener;
  }

  push(frame: Int16Array): void {
    for (let start = 0; start < frame.length; ) {
      const count = Math.min(DTMF_BLOCK_SAMPLES - this.#filled, frame.length - start);
      const filled = this.#filled;
      for (let index = 0; index < count; index++) this.#block[filled + index] = frame[start + index] as number;
      this.#filled += count;
      start += count;
      if (this.#filled === DTMF_BLOCK_SAMPLES) this.#endBlock();
    }
  }

  #endBlock(): void {
    this.#filled = 0;
    this.#position += DTMF_BLOCK_SAMPLES;
    this.#follow(this.#analysis.push(this.#block));
  }

  #follow(key: number): void {
    if (key !== this.#shown || key === NO_KEY) {
      this.#shown = key;
      this.#shownWindows = 0;
      this.#bestShare = 0;
      this.#shownPosition = Math.max(0, this.#position - DTMF_WINDOW_BLOCKS * DTMF_BLOCK_SAMPLES);
    }
    this.#shownWindows += 1;
    this.#bestShare = Math.max(this.#bestShare, this.#analysis.share);
    if (key !== NO_KEY && key === this.#pressed) {
      this.#missedWindows = 0;
      this.#heardUntil = this.#position;
      return;
    }
    this.#missedWindows += 1;
    const isNewKey = key !== NO_KEY && this.#shownWindows >= PRESS_WINDOWS && this.#bestShare >= BEST_SHARE_MIN;
    if (this.#pressed !== NO_KEY && (isNewKey || this.#missedWindows === RELEASE_WINDOWS)) this.#release();
    if (isNewKey) this.#press(key);
  }

  #press(key: number): void {
    this.#pressed = key;
    this.#pressedPosition = this.#shownPosition;
    this.#heardUntil = this.#position;
    this.#missedWindows = 0;
    this.#listener({ type: "key.pressed", key: nameOf(key), position: this.#pressedPosition });
  }

  #release(): void {
    const key = nameOf(this.#pressed);
    this.#pressed = NO_KEY;
    this.#listener({
      type: "key.released",
      key,
      position: this.#heardUntil,
      pressedPosition: this.#pressedPosition,
    });
  }
}

function nameOf(key: number): string {
  return DTMF_KEYS.charAt(key);
}

/** 5 ms. Sums of four such blocks make one window of 20 ms, so that a key of 40 ms has several windows to itself. */
const DTMF_BLOCK_SAMPLES = 40;
/** The edges of a window count half, which keeps the tones of one group out of the other's measurement. */
const WEIGHTS = [1, 2, 2, 1] as const;
const WEIGHTS_SUM = 6;
const DTMF_WINDOW_BLOCKS = WEIGHTS.length;

/** Midway between what must be accepted (1.5 %) and what must be refused (3.5 %), ITU-T Q.24. */
const OFFSET_MAX = 0.025;
/** Per tone. Q.24 administrations require -22 to -25 dBm0 and refuse anything below -29. */
const LEVEL_MIN_DBM0 = -28;
/** Lines lose more of the high tone (up to 8 dB must be accepted) than of the low one (4 dB). */
const HIGH_WEAKER_MAX = 10 ** (9.5 / 10);
const LOW_WEAKER_MAX = 10 ** (5.5 / 10);
/**
 * How much of the power must be in the two tones. Noise 15 dB below leaves 0.97 of it; voices rarely put 0.8 of theirs
 * into two sines at these frequencies. Lowering it accepts keys pressed over speech and hears keys in speech.
 */
const SHARE_MIN = 0.84;

const NO_KEY = -1;

const FREQUENCIES_HZ = [...DTMF_LOW_HZ, ...DTMF_HIGH_HZ];
const GROUP = DTMF_LOW_HZ.length;
const BLOCK_SECONDS = DTMF_BLOCK_SAMPLES / TELEPHONE_RATE_HZ;
const POWER_MIN = rmsAt(LEVEL_MIN_DBM0 - DBM0_OF_FULL_SCALE) ** 2;

/**
 * Determines block by block which key is present, by level, twist, purity and exact frequency of the two strongest
 * tones.
 */
class DtmfAnalysis {
  /** The share of the last window's power that is in its two tones. */
  share = 0;
  readonly #bank = new GoertzelBank(FREQUENCIES_HZ, DTMF_BLOCK_SAMPLES);
  /** Real and imaginary sums of the last four blocks, frequency after frequency. */
  readonly #real = new Float64Array(FREQUENCIES_HZ.length * DTMF_WINDOW_BLOCKS);
  readonly #imaginary = new Float64Array(FREQUENCIES_HZ.length * DTMF_WINDOW_BLOCKS);
  readonly #power = new Float64Array(DTMF_WINDOW_BLOCKS);
  readonly #windowReal = new Float64Array(FREQUENCIES_HZ.length);
  readonly #windowImaginary = new Float64Array(FREQUENCIES_HZ.length);
  readonly #lastReal = new Float64Array(FREQUENCIES_HZ.length);
  readonly #lastImaginary = new Float64Array(FREQUENCIES_HZ.length);
  /** The factors that align the phases of a window's blocks, times their weights. */
  readonly #turnReal: Float64Array;
  readonly #turnImaginary: Float64Array;
  #blocks = 0;
  /** Power and relative offset of the last measured tone. */
  #tonePower = 0;
  #toneOffset = 0;

  constructor() {
    const turns = FREQUENCIES_HZ.flatMap((frequencyHz) =>
      WEIGHTS.map((weight, block) => ({ weight, angle: -2 * Math.PI * frequencyHz * BLOCK_SECONDS * block })),
    );
    this.#turnReal = Float64Array.from(turns, ({ weight, angle }) => weight * Math.cos(angle));
    this.#turnImaginary = Float64Array.from(turns, ({ weight, angle }) => weight * Math.sin(angle));
  }

  /** The key of the window that ends with this block, as an index into DTMF_KEYS, or NO_KEY. */
  push(block: Float64Array): number {
    this.#take(block);
    this.#sumWindow();
    const power = this.#windowPower();
    if (power < 2 * POWER_MIN) return NO_KEY;
    const low = this.#strongest(0);
    this.#lookAt(low);
    const lowPower = this.#tonePower;
    const lowOffset = this.#toneOffset;
    const high = this.#strongest(GROUP);
    this.#lookAt(high);
    const highPower = this.#tonePower;
    this.share = (lowPower + highPower) / power;
    const isKey =
      lowPower >= POWER_MIN &&
      highPower >= POWER_MIN &&
      lowPower <= highPower * HIGH_WEAKER_MAX &&
      highPower <= lowPower * LOW_WEAKER_MAX &&
      this.share >= SHARE_MIN &&
      Math.abs(lowOffset) <= OFFSET_MAX &&
      Math.abs(this.#toneOffset) <= OFFSET_MAX;
    return isKey ? low * GROUP + (high - GROUP) : NO_KEY;
  }

  #take(block: Float64Array): void {
    this.#bank.measure(block);
    const slot = this.#blocks % DTMF_WINDOW_BLOCKS;
    for (let index = 0; index < FREQUENCIES_HZ.length; index++) {
      this.#real[index * DTMF_WINDOW_BLOCKS + slot] = this.#bank.real[index] as number;
      this.#imaginary[index * DTMF_WINDOW_BLOCKS + slot] = this.#bank.imaginary[index] as number;
    }
    let sum = 0;
    for (let at = 0; at < DTMF_BLOCK_SAMPLES; at++) {
      const sample = block[at] as number;
      sum += sample * sample;
    }
    this.#power[slot] = sum / DTMF_BLOCK_SAMPLES;
    this.#blocks += 1;
  }

  /** Adds up the blocks in the phase they would have if the tone were exact. */
  #sumWindow(): void {
    this.#lastReal.set(this.#windowReal);
    this.#lastImaginary.set(this.#windowImaginary);
    for (let index = 0; index < FREQUENCIES_HZ.length; index++) {
      const first = index * DTMF_WINDOW_BLOCKS;
      let sumReal = 0;
      let sumImaginary = 0;
      for (let block = 0; block < DTMF_WINDOW_BLOCKS; block++) {
        const slot = first + ((this.#blocks + block) % DTMF_WINDOW_BLOCKS);
        const real = this.#real[slot] as number;
        const imaginary = this.#imaginary[slot] as number;
        const turnReal = this.#turnReal[first + block] as number;
        const turnImaginary = this.#turnImaginary[first + block] as number;
        sumReal += real * turnReal - imaginary * turnImaginary;
        sumImaginary += real * turnImaginary + imaginary * turnReal;
      }
      this.#windowReal[index] = sumReal;
      this.#windowImaginary[index] = sumImaginary;
    }
  }

  #windowPower(): number {
    let sum = 0;
    for (let block = 0; block < DTMF_WINDOW_BLOCKS; block++) {
      sum += (WEIGHTS[block] as number) * (this.#power[(this.#blocks + block) % DTMF_WINDOW_BLOCKS] as number);
    }
    return sum / WEIGHTS_SUM;
  }

  #strongest(first: number): number {
    let best = first;
    let bestPower = -1;
    for (let index = first; index < first + GROUP; index++) {
      const real = this.#windowReal[index] as number;
      const imaginary = this.#windowImaginary[index] as number;
      const power = real * real + imaginary * imaginary;
      if (power > bestPower) {
        bestPower = power;
        best = index;
      }
    }
    return best;
  }

  /**
   * A tone off its frequency shifts its phase from window to window, which shows by how much, and what power it lost.
   */
  #lookAt(index: number): void {
    const real = this.#windowReal[index] as number;
    const imaginary = this.#windowImaginary[index] as number;
    const lastReal = this.#lastReal[index] as number;
    const lastImaginary = this.#lastImaginary[index] as number;
    const frequencyHz = FREQUENCIES_HZ[index] as number;
    const turned = Math.atan2(imaginary * lastReal - real * lastImaginary, real * lastReal + imaginary * lastImaginary);
    const turns = turned / (2 * Math.PI) - frequencyHz * BLOCK_SECONDS;
    const offsetHz = (turns - Math.round(turns)) / BLOCK_SECONDS;
    const half = Math.PI * offsetHz * BLOCK_SECONDS;
    const blockGain = half === 0 ? 1 : Math.sin(half) / half;
    const gain = (blockGain * (2 * Math.cos(3 * half) + 4 * Math.cos(half))) / WEIGHTS_SUM;
    const sum = DTMF_BLOCK_SAMPLES * WEIGHTS_SUM * gain;
    this.#tonePower = (2 * (real * real + imaginary * imaginary)) / (sum * sum);
    this.#toneOffset = offsetHz / frequencyHz;
  }
}
