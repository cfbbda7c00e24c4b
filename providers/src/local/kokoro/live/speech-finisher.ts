import { samplesIn, saturate } from "@parley/audio/frame";
import { fade } from "@parley/audio/gain";
import { gainOf, rmsAt, rmsOf } from "@parley/audio/level";
import { LEAD_MS, SPEECH_LEVEL_DBFS, TAIL_MS } from "../../finish-clip.ts";

const FULL_SCALE = 32_767;
/** Beyond this share of full scale peaks are compressed, so that none exceeds -1 dBFS. */
const KNEE = 0.7;
const ROOM = 0.19;
/** A window this far below the speech is silence. */
const SILENCE_BELOW_SPEECH_DB = 30;
const WINDOW_MS = 5;
const FADE_MS = 4;

/**
 * Prepares decoded audio for a telephone as it arrives: the common level, and the same short silence at both ends,
 * whatever the network left there. Pauses within the speech stay as they are.
 */
export class SpeechFinisher {
  readonly #rateHz: number;
  readonly #gain: number;
  readonly #threshold = rmsAt(SPEECH_LEVEL_DBFS - SILENCE_BELOW_SPEECH_DB);
  /** Less than a window, which waits for the rest. */
  #rest = new Int16Array(0);
  /** Silence before the speech, or beyond the tail after it, that is dropped unless speech follows. */
  #held: Int16Array[] = [];
  #hasSpeech = false;
  #quietSamples = 0;
  #skippedSamples = 0;

  /** A stream cannot be measured before it is played: its level is a forecast. */
  constructor(levelDbfs: number, rateHz: number) {
    this.#rateHz = rateHz;
    this.#gain = gainOf(SPEECH_LEVEL_DBFS - levelDbfs);
  }

  /** How many samples were removed before the first one that was returned; negative if silence was added. */
  get skippedSamples(): number {
    return this.#skippedSamples;
  }

  /** What can be played now. */
  add(chunk: Float32Array): Int16Array {
    const windowSamples = samplesIn(WINDOW_MS, this.#rateHz);
    const samples = new Int16Array(this.#rest.length + chunk.length);
    samples.set(this.#rest);
    for (let at = 0; at < chunk.length; at++)
      samples[this.#rest.length + at] = saturate(bend((chunk[at] as number) * this.#gain) * FULL_SCALE);
    const given: Int16Array[] = [];
    let at = 0;
    for (; at + windowSamples <= samples.length; at += windowSamples)
      this.#takeWindow(samples.subarray(at, at + windowSamples), given);
    this.#rest = samples.slice(at);
    return join(given);
  }

  /** The end: the last samples, and silence up to the length of the tail. Empty when there was no speech. */
  end(): Int16Array {
    const given: Int16Array[] = [];
    if (this.#rest.length > 0) this.#takeWindow(this.#rest, given);
    if (!this.#hasSpeech) return new Int16Array(0);
    given.push(new Int16Array(Math.max(0, samplesIn(TAIL_MS, this.#rateHz) - this.#quietSamples)));
    return join(given);
  }

  #takeWindow(window: Int16Array, given: Int16Array[]): void {
    if (rmsOf(window) >= this.#threshold) {
      if (!this.#hasSpeech) this.#begin();
      given.push(...this.#held, window);
      this.#held = [];
      this.#hasSpeech = true;
      this.#quietSamples = 0;
    } else if (this.#hasSpeech && this.#quietSamples < samplesIn(TAIL_MS, this.#rateHz)) {
      given.push(window);
      this.#quietSamples += window.length;
    } else this.#held.push(window);
  }

  /** Speech begins: the lead is kept of the silence before it. */
  #begin(): void {
    const lead = samplesIn(LEAD_MS, this.#rateHz);
    const silence = join(this.#held);
    const kept = new Int16Array(lead);
    kept.set(silence.subarray(Math.max(0, silence.length - lead)), Math.max(0, lead - silence.length));
    // A cut in the middle of faint noise would click.
    const noiseAt = Math.max(0, lead - silence.length);
    fade(kept, 0, 1, noiseAt, Math.min(lead, noiseAt + samplesIn(FADE_MS, this.#rateHz)));
    this.#skippedSamples = silence.length - lead;
    this.#held = [kept];
  }
}

function bend(value: number): number {
  const size = Math.abs(value);
  return size <= KNEE ? value : Math.sign(value) * (KNEE + ROOM * Math.tanh((size - KNEE) / ROOM));
}

function join(pieces: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
