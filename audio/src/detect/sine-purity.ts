import { TELEPHONE_RATE_HZ } from "../frame.ts";

/**
 * How much of a frame is one sine, and of which frequency. Estimated from the recurrence x[n] + x[n-2] = k x[n-1], where
 * k is twice the cosine of the angle per sample, by total least squares (which white noise does not bias); then the
 * sine of that frequency is fitted to the frame, because low voices satisfy the recurrence without being sines.
 */
export class SinePurity {
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
