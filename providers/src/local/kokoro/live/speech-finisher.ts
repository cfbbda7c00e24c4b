import { samplesIn, saturate } from "@parley/audio/frame";
import { fade } from "@parley/audio/gain";
import { gainOf, rmsAt, rmsOf } from "@parley/audio/level";
import { LEAD_MS, SPEECH_LEVEL_DBFS, TAIL_MS } from "../../finish-clip.ts";
import type { KokoroVoiceId } from "../kokoro-voices.ts";

/**
 * The level at which each voice is decoded, by ITU-T P.56: the mean of twelve sentences, which differ by less than a
 * decibel from each other. A stream cannot be measured before it is played, so the level of the voice stands for it.
 */
const LEVELS_DBFS: Readonly<Record<KokoroVoiceId, number>> = {
  af_heart: -25.8,
  af_alloy: -24.0,
  af_aoede: -20.4,
  af_bella: -24.6,
  af_jessica: -24.7,
  af_kore: -21.2,
  af_nicole: -24.8,
  af_nova: -29.1,
  af_river: -24.1,
  af_sarah: -23.8,
  af_sky: -26.3,
  am_adam: -21.3,
  am_echo: -24.6,
  am_eric: -23.6,
  am_fenrir: -22.1,
  am_liam: -24.3,
  am_michael: -27.2,
  am_onyx: -24.5,
  am_puck: -21.1,
  am_santa: -25.4,
  bf_alice: -23.3,
  bf_emma: -23.4,
  bf_isabella: -21.0,
  bf_lily: -23.8,
  bm_daniel: -23.9,
  bm_fable: -26.2,
  bm_george: -23.8,
  bm_lewis: -26.4,
  ef_dora: -24.7,
  em_alex: -24.9,
  em_santa: -26.0,
  ff_siwis: -21.1,
  if_sara: -19.3,
  im_nicola: -23.3,
  pf_dora: -24.7,
  pm_alex: -25.1,
  pm_santa: -26.1,
};

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

  constructor(voiceId: KokoroVoiceId, rateHz: number) {
    this.#rateHz = rateHz;
    this.#gain = gainOf(SPEECH_LEVEL_DBFS - LEVELS_DBFS[voiceId]);
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
