import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from "../frame.ts";
import { dbfsOf, rmsAt } from "../level.ts";

/** A single sine with a stable pitch and level. Positions are in samples from the first frame. */
export interface HeardTone {
  frequencyHz: number;
  levelDbfs: number;
  startPosition: number;
  endPosition: number;
  /** Whether silence followed it rather than other audio. */
  isFollowedBySilence: boolean;
}

/** Quieter tones are echo or crosstalk. */
const LEVEL_MIN_DBFS = -40;
/** A sine in noise 14 dB below it. Voices come near it in single frames and not for long at one pitch. */
const SHARE_MIN = 0.96;
const PITCH_MIN_HZ = 280;
const PITCH_MAX_HZ = 2300;
/** How far a frame may be from the pitch so far; a voice that sings does not hold that. */
const PITCH_DRIFT_MAX = 0.01;
const LEVEL_DRIFT_MAX = 10 ** (3 / 10);
const FRAMES_MIN = 3;
/** A phase reversal or a lost packet spoils one frame of a tone, two when it falls on their border. */
const GAP_FRAMES_MAX = 2;
/** The frames after a tone that decide whether silence followed, not counting the one in which it ended. */
const AFTER_FRAMES = 4;
const SILENCE_BELOW_TONE = 10 ** (-18 / 10);
const POWER_MIN = rmsAt(LEVEL_MIN_DBFS) ** 2;

/** Follows single tones through a stream of 20 ms frames, for detectors of beeps, faxes and network signals. */
export class ToneTracker {
  readonly #purity = new SinePurity();
  readonly #listeners: ((tone: HeardTone) => void)[] = [];
  #position = 0;
  #lastPower = 0;
  #frames = 0;
  #pitchSum = 0;
  #powerSum = 0;
  #startPosition = 0;
  #endPosition = 0;
  #gapFrames = 0;
  /** Power in the frames since the tone ended, the first of them apart: it still holds the end of the tone. */
  #gapPower = 0;
  #afterPower = 0;

  /** Calls back for each tone once it is known what followed it, some 100 ms after its end. */
  onTone(listener: (tone: HeardTone) => void): void {
    this.#listeners.push(listener);
  }

  /** The pitch of the current tone, or 0. */
  get soundingHz(): number {
    return this.#frames >= FRAMES_MIN && this.#gapFrames <= GAP_FRAMES_MAX ? this.#pitchHz : 0;
  }

  /** How long it has lasted. */
  get soundingSamples(): number {
    return this.soundingHz === 0 ? 0 : this.#position - this.#startPosition;
  }

  push(frame: Int16Array): void {
    if (frame.length !== FRAME_SAMPLES) throw new RangeError(`a frame has ${FRAME_SAMPLES} samples`);
    this.#purity.measure(frame);
    this.#position += FRAME_SAMPLES;
    const isTone = this.#isTone();
    if (isTone && this.#frames > 0 && this.#gapFrames <= GAP_FRAMES_MAX && this.#continuesTone()) this.#extend();
    else this.#goWithout(isTone);
    // What fills a frame by itself is not the beginning of the next tone.
    this.#lastPower = isTone ? Number.POSITIVE_INFINITY : this.#purity.power;
  }

  get #pitchHz(): number {
    return this.#pitchSum / this.#frames;
  }

  #isTone(): boolean {
    const { share, frequencyHz, power } = this.#purity;
    return share >= SHARE_MIN && power >= POWER_MIN && frequencyHz >= PITCH_MIN_HZ && frequencyHz <= PITCH_MAX_HZ;
  }

  #continuesTone(): boolean {
    const { frequencyHz, power } = this.#purity;
    const tonePower = this.#powerSum / this.#frames;
    const isSamePitch = Math.abs(frequencyHz - this.#pitchHz) <= PITCH_DRIFT_MAX * this.#pitchHz;
    return isSamePitch && power < tonePower * LEVEL_DRIFT_MAX && tonePower < power * LEVEL_DRIFT_MAX;
  }

  #extend(): void {
    this.#frames += 1;
    this.#pitchSum += this.#purity.frequencyHz;
    this.#powerSum += this.#purity.power;
    this.#endPosition = this.#position;
    this.#gapFrames = 0;
    this.#gapPower = 0;
    this.#afterPower = 0;
  }

  #goWithout(isTone: boolean): void {
    if (this.#frames > 0) {
      if (this.#gapFrames === 0) this.#gapPower = this.#purity.power;
      else this.#afterPower += this.#purity.power;
      this.#gapFrames += 1;
      const isDecided = isTone || this.#gapFrames > AFTER_FRAMES || this.#frames < FRAMES_MIN;
      if (!isDecided) return;
      this.#end(isTone);
    }
    if (isTone) this.#begin();
  }

  #begin(): void {
    this.#frames = 0;
    this.#pitchSum = 0;
    this.#powerSum = 0;
    this.#extend();
    this.#startPosition = this.#position - FRAME_SAMPLES - this.#partOfFrame(this.#lastPower, this.#purity.power);
  }

  #end(isAnotherTone: boolean): void {
    const frames = this.#frames;
    const tonePower = this.#powerSum / frames;
    const quiet = this.#afterPower / Math.max(1, this.#gapFrames - 1) < tonePower * SILENCE_BELOW_TONE;
    const tone: HeardTone = {
      frequencyHz: this.#pitchHz,
      levelDbfs: dbfsOf(Math.sqrt(tonePower)),
      startPosition: this.#startPosition,
      endPosition: this.#endPosition + (this.#gapFrames === 1 ? 0 : this.#partOfFrame(this.#gapPower, tonePower)),
      isFollowedBySilence: quiet && !isAnotherTone,
    };
    this.#frames = 0;
    this.#gapFrames = 0;
    if (frames >= FRAMES_MIN) for (const listener of this.#listeners) listener(tone);
  }

  /** How far a tone reached into a neighbouring frame, by the power it left there; a full frame was something else. */
  #partOfFrame(power: number, tonePower: number): number {
    const part = power / tonePower;
    return part < 1 ? Math.round(part * FRAME_SAMPLES) : 0;
  }
}

/**
 * How much of a frame is one sine, and of which frequency. Estimated from the recurrence x[n] + x[n-2] = k x[n-1], where
 * k is twice the cosine of the angle per sample, by total least squares (which white noise does not bias); then the
 * sine of that frequency is fitted to the frame, because low voices satisfy the recurrence without being sines.
 */
class SinePurity {
  /** Of the last frame that was measured. */
  frequencyHz = 0;
  /** Mean square of the frame. */
  power = 0;
  /** Share of the power that the sine explains, from 0 to 1. */
  share = 0;

  measure(frame: Int16Array): void {
    let power = 0;
    let cross = 0;
    let middle = 0;
    let outer = 0;
    let before = frame[0] as number;
    let last = frame[1] as number;
    power += before * before + last * last;
    for (let index = 2; index < frame.length; index++) {
      const sample = frame[index] as number;
      const sum = sample + before;
      power += sample * sample;
      cross += last * sum;
      middle += last * last;
      outer += sum * sum;
      before = last;
      last = sample;
    }
    this.power = power / frame.length;
    this.share = 0;
    this.frequencyHz = 0;
    const spread = outer - 2 * middle;
    const divisor = Math.sqrt(spread * spread + 8 * cross * cross) - spread;
    const k = divisor > 0 ? (4 * cross) / divisor : 0;
    if (power === 0 || k <= -2 || k >= 2) return;
    this.frequencyHz = (Math.acos(k / 2) * TELEPHONE_RATE_HZ) / (2 * Math.PI);
    this.share = explainedBy(frame, k / 2) / power;
  }
}

/** The energy of the sine that fits the frame best, by least squares over its cosine and its sine part. */
function explainedBy(frame: Int16Array, turnCosine: number): number {
  const turnSine = Math.sqrt(1 - turnCosine * turnCosine);
  let cosine = 1;
  let sine = 0;
  let cc = 0;
  let cs = 0;
  let xc = 0;
  let xs = 0;
  for (let index = 0; index < frame.length; index++) {
    const sample = frame[index] as number;
    cc += cosine * cosine;
    cs += cosine * sine;
    xc += sample * cosine;
    xs += sample * sine;
    const next = cosine * turnCosine - sine * turnSine;
    sine = sine * turnCosine + cosine * turnSine;
    cosine = next;
  }
  const ss = frame.length - cc;
  const determinant = cc * ss - cs * cs;
  if (determinant <= 0) return 0;
  return (xc * xc * ss - 2 * xc * xs * cs + xs * xs * cc) / determinant;
}
