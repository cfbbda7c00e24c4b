import { samplesIn, TELEPHONE_RATE_HZ } from "./frame.ts";
import { type Sine, ToneGenerator } from "./tone.ts";

/** One step of a signal: sines for some time, or silence when there are none. */
export interface SignalStep {
  frequenciesHz: readonly number[];
  durationMs: number;
  /** Inverts the sines at this interval. */
  reversalMs?: number;
}

/** A tone pattern, as data. */
export interface Signal {
  steps: readonly SignalStep[];
  /** Whether it repeats after its last step until it is stopped. */
  repeats: boolean;
  /** Level of each sine. */
  levelDbfs: number;
}

interface PlayedStep {
  partials: readonly Sine[];
  samples: number;
  /** Infinity if nothing is reversed. */
  reversalSamples: number;
}

/** Plays a signal frame by frame. */
export class SignalPlayer {
  readonly #steps: readonly PlayedStep[];
  readonly #repeats: boolean;
  readonly #tones: ToneGenerator;
  #step = 0;
  #playedSamples = 0;

  constructor({ steps, repeats, levelDbfs }: Signal, sampleRateHz: number = TELEPHONE_RATE_HZ) {
    this.#steps = steps.map(({ frequenciesHz, durationMs, reversalMs }) => ({
      partials: frequenciesHz.map((frequencyHz) => ({ frequencyHz, levelDbfs })),
      samples: samplesIn(durationMs, sampleRateHz),
      reversalSamples: reversalMs ? samplesIn(reversalMs, sampleRateHz) : Number.POSITIVE_INFINITY,
    }));
    if (!this.#steps.some(({ samples }) => samples > 0)) throw new RangeError("a signal must last some time");
    this.#repeats = repeats;
    this.#tones = new ToneGenerator(this.#steps[0]?.partials, { sampleRateHz });
  }

  /** Overwrites the frame and returns how many of its samples belong to the signal; the rest is silence. */
  fill(frame: Int16Array): number {
    let at = 0;
    while (at < frame.length) {
      const step = this.#steps[this.#step];
      if (step === undefined) break;
      const untilReversal = step.reversalSamples - (this.#playedSamples % step.reversalSamples);
      const count = Math.min(frame.length - at, step.samples - this.#playedSamples, untilReversal);
      this.#tones.fill(frame, at, at + count);
      at += count;
      this.#playedSamples += count;
      if (count === untilReversal) this.#tones.reversePhase();
      if (this.#playedSamples >= step.samples) this.#goOn();
    }
    frame.fill(0, at);
    return at;
  }

  #goOn(): void {
    this.#playedSamples = 0;
    this.#step += 1;
    if (this.#step === this.#steps.length && this.#repeats) this.#step = 0;
    const next = this.#steps[this.#step];
    if (next === undefined) return;
    if (next.partials.length === 0) this.#tones.restart();
    this.#tones.change(next.partials);
  }
}

/** A signal from its beginning, as one recording. */
export function renderSignal(signal: Signal, durationMs: number, sampleRateHz: number = TELEPHONE_RATE_HZ): Int16Array {
  const samples = new Int16Array(samplesIn(durationMs, sampleRateHz));
  new SignalPlayer(signal, sampleRateHz).fill(samples);
  return samples;
}

/** How long a signal lasts when it is played once. */
export function signalDurationMs({ steps }: Signal): number {
  return steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
